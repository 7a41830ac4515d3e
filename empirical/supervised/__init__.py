"""What an optimal encoder of labelled data is, computed without training, and what a trained one is measured by."""
