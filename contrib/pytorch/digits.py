"""The handwritten digits: 1,797 images of 8 by 8, split by a seed."""

import gzip
import random
import zlib

import torch

from report import Fatal

DIGITS = "/usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz"


def read_digits(path, seed):
    """Training and test images (pixels 0 to 1) with their labels, split by the seed."""
    try:
        with gzip.open(path, "rt") as file:
            rows = [[int(float(value)) for value in line.split(",")] for line in file]
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise Fatal(
            f'cannot read the digits from "{path}": {error}; install python3-sklearn or name the '
            "file with --data"
        )
    random.Random(seed).shuffle(rows)
    data = torch.tensor(rows)
    images = data[:, :64].reshape(-1, 1, 8, 8).double() / 16
    labels = data[:, 64]
    count = len(rows) * 4 // 5
    return (images[:count], labels[:count]), (images[count:], labels[count:])
