"""Networks of the experiments, as Equinox modules that take a whole batch of rows at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import equinox as eqx
import jax
import jax.numpy as jnp

Activation = Callable[[jax.Array], jax.Array]
ACTIVATIONS: dict[str, Activation] = {"tanh": jnp.tanh, "gelu": jax.nn.gelu, "leaky_relu": jax.nn.leaky_relu}


class MLP(eqx.Module):
    """A multilayer perceptron: x (rows, sizes[0]) to (rows, sizes[-1]), linear in its last layer.

    Weights are normal with variance gain²/inputs, biases normal with standard deviation ``bias``.
    """

    weights: list[jax.Array]
    biases: list[jax.Array]
    activation: Activation = eqx.field(static=True)

    def __init__(
        self, key: jax.Array, sizes: Sequence[int], activation: Activation, gain: float = 1.0, bias: float = 0.0
    ) -> None:
        shapes = list(pairwise(sizes))
        # One draw for all layers: drawing layer by layer takes several times as long to compile.
        drawn = jax.random.normal(key, (sum((inputs + 1) * outputs for inputs, outputs in shapes),))
        self.weights, self.biases = [], []
        for inputs, outputs in shapes:
            weight, shift, drawn = jnp.split(drawn, [inputs * outputs, (inputs + 1) * outputs])
            self.weights.append(gain / math.sqrt(inputs) * weight.reshape(inputs, outputs))
            self.biases.append(bias * shift)
        self.activation = activation

    def __call__(self, x: jax.Array) -> jax.Array:
        *hidden, last = zip(self.weights, self.biases, strict=True)
        for weight, bias in hidden:
            x = self.activation(x @ weight + bias)
        return x @ last[0] + last[1]


class Classifier(eqx.Module):
    """A member of the softmax family: logits f(x)·g(y), no bias.  g (labels, dim) is a table, one row a label.

    A network on one-hot labels reaches exactly the tables, so nothing is lost by training the table itself.
    """

    f: MLP
    g: jax.Array

    def __call__(self, x: jax.Array) -> jax.Array:
        return self.f(x) @ self.g.T
