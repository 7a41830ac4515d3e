"""A user's own arrays: from ``.npy``, ``.npz``, ``.safetensors`` and HDF5 files to models that can be compared."""

from empirical.arrays.alignment import align_labels as align_labels
from empirical.arrays.alignment import check_rows as check_rows
from empirical.arrays.alignment import groups_of as groups_of
from empirical.arrays.alignment import name_files as name_files
from empirical.arrays.alignment import with_label_names as with_label_names
from empirical.arrays.container import ENDINGS as ENDINGS
from empirical.arrays.loading import LoadedModel as LoadedModel
from empirical.arrays.loading import NamedArray as NamedArray
from empirical.arrays.loading import load as load
from empirical.arrays.side import Side as Side
