#!/usr/bin/python3
"""Trains a small convolutional network on handwritten digits with DistributedDataParallel.

It runs under plain python, and on several ranks wherever RANK, WORLD_SIZE, MASTER_ADDR and
MASTER_PORT are set. It computes on CPUs only, also where the cluster calls them GPUs. Each rank
takes its share of every batch; the result does not depend on the number of ranks.

Environment, all of it optional: HORA_BATCH (global batch), HORA_SHARE (this rank's samples of it),
HORA_PROGRESS (file for progress lines), HORA_CHECKPOINT_DIR (where SIGUSR1 and SIGTERM put a
checkpoint, from which the next start goes on), SLURM_RESTART_COUNT.
"""

import os
import signal

requested = []  # not empty: somebody asked for a checkpoint

# Before anything slow: importing torch takes seconds, and a signal may come at any time.
if __name__ == "__main__":
    if os.environ.get("HORA_CHECKPOINT_DIR"):
        for number in (signal.SIGUSR1, signal.SIGTERM):
            signal.signal(number, lambda number, frame: requested.append(number))
    else:
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)

import argparse
import sys
import time

import torch
from torch import nn

from checkpoint import CheckpointFolder
from digits import DIGITS, read_digits
from ranks import Ranks, find_shares
from report import CommonFatal, Fatal, Progress, remark


def make_network(seed):
    torch.manual_seed(seed)
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(256, 10),
    ).double()


def epoch_order(count, seed, epoch):
    """The same on every rank, whatever their number."""
    return torch.randperm(count, generator=torch.Generator().manual_seed(seed * 1000003 + epoch))


class Training:
    def __init__(self, options, ranks):
        self.options = options
        self.ranks = ranks
        (self.images, self.labels), self.test = read_digits(options.data, options.seed)
        self.shares = find_shares(ranks, options.batch)
        self.plain = make_network(options.seed)
        self.network = ranks.wrap(self.plain)
        self.optimiser = torch.optim.SGD(self.plain.parameters(), lr=options.rate, momentum=0.9)
        self.progress = Progress(os.environ.get("HORA_PROGRESS") if ranks.is_first else None)
        self.step = 0
        self.epoch_loss = self.last_loss = self.seconds = 0.0
        self.steps_per_epoch = -(-len(self.labels) // options.batch)
        # A checkpoint continues only the training it came from.
        self.identity = {
            "seed": options.seed,
            "batch": options.batch,
            "rate": options.rate,
            "images": len(self.labels),
        }
        path = os.environ.get("HORA_CHECKPOINT_DIR")
        self.checkpoints = bool(path)
        self.folder = CheckpointFolder(path) if path and ranks.is_first else None

    def say(self, text):
        if self.ranks.is_first:
            print(text, flush=True)

    def resume(self):
        state, error = None, None
        if self.folder:
            try:
                state = self.folder.newest(self.identity)
            except Fatal as fatal:
                error = fatal
        state, error = self.ranks.from_first((state, error))
        if error:
            raise CommonFatal(error)
        if state:
            self.step, self.epoch_loss = state["step"], state["epoch_loss"]
            self.last_loss, self.seconds = state["last_loss"], state["seconds"]
            self.plain.load_state_dict(state["network"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.say(f"resumed after step {self.step}")

    def write_checkpoint(self):
        if not self.folder:
            return False
        state = {
            "identity": self.identity,
            "step": self.step,
            "epoch_loss": self.epoch_loss,
            "last_loss": self.last_loss,
            "seconds": self.elapsed(),
            "network": self.plain.state_dict(),
            "optimiser": self.optimiser.state_dict(),
        }
        return self.folder.write(self.step, state)

    def elapsed(self):
        return self.seconds + time.monotonic() - self.started

    def my_samples(self, order):
        """This rank's part of the next batch; the last of an epoch is divided in proportion."""
        first = self.step % self.steps_per_epoch * self.options.batch
        size = min(self.options.batch, len(order) - first)
        before = sum(self.shares[: self.ranks.rank])
        begin = before * size // self.options.batch
        end = (before + self.shares[self.ranks.rank]) * size // self.options.batch
        return order[first + begin : first + end], size

    def train_step(self, order):
        mine, size = self.my_samples(order)
        loss = nn.functional.cross_entropy(
            self.network(self.images[mine]), self.labels[mine], reduction="sum"
        )
        self.optimiser.zero_grad()
        # DistributedDataParallel averages over the ranks; what is wanted is the mean over the
        # samples, whichever rank has them.
        (loss * self.ranks.world / size).backward()
        self.optimiser.step()
        self.step += 1
        # A request reaches the ranks at different moments; summed, all see it after one step.
        asked = len(requested)
        del requested[:asked]  # one that comes between the two lines stays
        total, requests = self.ranks.sum(loss.item(), float(asked > 0))
        self.epoch_loss += total
        return requests > 0

    def report_progress(self):
        done, rest = divmod(self.step - 1, self.steps_per_epoch)
        count = len(self.labels)
        samples = done * count + min((rest + 1) * self.options.batch, count)
        self.progress.append(self.step, done + 1, samples)

    def finish_epoch(self):
        self.last_loss, self.epoch_loss = self.epoch_loss / len(self.labels), 0.0
        self.say(
            f"epoch {self.step // self.steps_per_epoch:3}  loss {self.last_loss:.6f}  "
            f"accuracy {100 * self.accuracy():.1f} %  seconds {self.elapsed():.2f}"
        )
        self.write_checkpoint()

    def accuracy(self):
        images, labels = self.test
        with torch.no_grad():
            right = self.plain(images).argmax(1) == labels
        return right.double().mean().item()

    def answer_request(self):
        if self.write_checkpoint():
            self.folder.announce(self.step)
            self.folder.wait_to_be_ended(self.options.ready_wait, requested)
        self.ranks.barrier()
        if not self.ranks.is_first:
            requested.clear()  # rank 0 knows which of them came after READY was gone
        self.progress.restart_clock()  # waiting is not training

    def run(self):
        last = self.options.epochs * self.steps_per_epoch
        self.started = time.monotonic()
        self.progress.restart_clock()
        order = None
        while self.step < last:
            if order is None or self.step % self.steps_per_epoch == 0:
                epoch = self.step // self.steps_per_epoch
                order = epoch_order(len(self.labels), self.options.seed, epoch)
            asked = self.train_step(order)
            if self.options.brake and os.path.exists(self.options.brake):
                time.sleep(0.1)
            self.report_progress()
            if self.step % self.steps_per_epoch == 0:
                self.finish_epoch()
            if asked and self.checkpoints and self.step < last:
                self.answer_request()
        # Python gives its handlers up as it ends, and a request would then kill it.
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        self.say(
            f"final     loss {self.last_loss:.10g}  accuracy {100 * self.accuracy():.2f} %  "
            f"steps {self.step}  seconds {self.elapsed():.2f}"
        )
        if self.folder:
            self.folder.withdraw()


def read_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    batch = int(os.environ.get("HORA_BATCH") or 64)
    parser.add_argument("--data", default=DIGITS, help="CSV file of the digits, gzip'd or not")
    parser.add_argument("--epochs", type=int, default=20, help="passes over the training images")
    parser.add_argument("--batch", type=int, default=batch, help="samples of a step, all ranks")
    parser.add_argument("--rate", type=float, default=0.05, help="learning rate")
    parser.add_argument("--seed", type=int, default=1, help="of weights, split and order")
    parser.add_argument(
        "--brake",
        help="file; while it exists, a pause of 0.1 seconds follows each step: time to try out "
        "what happens to a job that trains",
    )
    parser.add_argument(
        "--ready-wait",
        type=float,
        default=60,
        help="seconds to wait to be ended once a requested checkpoint is written",
    )
    options = parser.parse_args()
    if os.environ.get("HORA_BATCH_MIN"):
        parser.error(
            "this trainer does not measure the noise of its gradients, which a batch that changes "
            "needs; unset HORA_BATCH_MIN, or give the job one batch: --hora-batch=N"
        )
    if min(options.epochs, options.batch) < 1:
        parser.error("--epochs and --batch are at least 1")
    return options


def main():
    options = read_options()
    torch.set_num_threads(1)
    ranks = Ranks()
    try:
        training = Training(options, ranks)
        training.say(
            f"{len(training.labels)} training and {len(training.test[1])} test images, "
            f"{sum(one.numel() for one in training.plain.parameters())} parameters, batch "
            f"{options.batch} on {ranks.world} ranks ({' '.join(map(str, training.shares))})"
        )
        training.resume()
        training.run()
    except CommonFatal as error:
        if ranks.is_first:
            remark(error)
        return 1
    except (Fatal, OSError) as error:
        remark(error if ranks.is_first else f"rank {ranks.rank}: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
