"""What the ranks tell each other, and who takes which part of a batch."""

import os

import torch
import torch.distributed as dist
from torch import nn

from report import CommonFatal


class Ranks:
    """What the ranks tell each other; one rank alone needs no process group."""

    def __init__(self):
        self.rank = int(os.environ.get("RANK") or 0)
        self.world = int(os.environ.get("WORLD_SIZE") or 1)
        if self.world > 1:
            dist.init_process_group("gloo", rank=self.rank, world_size=self.world)

    @property
    def is_first(self):
        return self.rank == 0

    def sum(self, *values):
        total = torch.tensor(values, dtype=torch.float64)
        if self.world > 1:
            dist.all_reduce(total)
        return total.tolist()

    def gather(self, value):
        alone = [0.0] * self.world
        alone[self.rank] = value
        return [int(one) for one in self.sum(*alone)]

    def from_first(self, value):
        box = [value]
        if self.world > 1:
            dist.broadcast_object_list(box)
        return box[0]

    def barrier(self):
        if self.world > 1:
            dist.barrier()

    def wrap(self, network):
        return nn.parallel.DistributedDataParallel(network) if self.world > 1 else network


def find_shares(ranks, batch):
    """Each rank's samples of a batch: HORA_SHARE, or equal shares."""
    asked = ranks.gather(int(os.environ.get("HORA_SHARE") or -1))
    if all(share < 0 for share in asked):
        rest = batch % ranks.world
        return [batch // ranks.world + (rank < rest) for rank in range(ranks.world)]
    if min(asked) < 0 or sum(asked) != batch:
        raise CommonFatal(
            f"HORA_SHARE is {asked} (-1: not set), the batch is {batch}; set it on all ranks so "
            "that it sums to the batch, or on none"
        )
    return asked
