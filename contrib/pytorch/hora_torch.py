"""For PyTorch programs with a large vocabulary: DDP that exchanges the rows that matter (P4).

    model = torch.nn.parallel.DistributedDataParallel(network)
    sampling = SampledRows([network.output.weight], lookups=[network.embedding.weight], rate=0.1)
    model.register_comm_hook(sampling, sampled_rows)
    ...
    sampling.see(words)             # of this rank's mini-batch, before the backward pass
    loss.backward()

Of the tables, a step exchanges the rows of all ranks' words, of the most frequent words, and of some
at random; row 0 is the most frequent word's. Of those that are only looked up it exchanges the rows
of the words, for no other has a gradient; a table that is the output's as well is none of these. All
other gradients travel whole. What is not sent is kept and added when its row's turn comes. A row's gradient is then zero until it is sent: right for
plain gradient descent, an approximation for optimisers that move parameters without one.

What is kept is this rank's, and lost when the program ends: let the step before a checkpoint be one
after exchange_all(). With a GradScaler, a gradient that is not finite would be kept as well; call
exchange_all() for the steps in which it looks for its scale.

Nothing registers the hook but the program itself.
"""

import math
import os

import torch
import torch.distributed as dist


def _rate_of(rate):
    if rate is not None:
        source, text = "rate", rate
    else:
        source, text = "HORA_SAMPLE_RATE", os.environ.get("HORA_SAMPLE_RATE") or 1
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= 1:
        raise ValueError(f"{source} is {text!r}; it is a number from 0 to 1")
    return value


class SampledRows:
    """State of the hook sampled_rows, for one model.

    tables: parameters with a row for each word.
    lookups: those of which only the words' rows have a gradient; all have as many rows.
    rate: rows beside those of the words, half frequent and half random ones, as a part of all; 1
        exchanges all. None: HORA_SAMPLE_RATE, which is what Hora's planner chose, or else 1.
    seed: of the random rows, the same on all ranks.
    keeps: False loses the rows that are not sent, as P4 prints it.
    group: the process group of DistributedDataParallel, where the program gave it one.
    step: of which the next one is; a restarted program gives how many were done.
    """

    def __init__(
        self, tables, rate=None, *, lookups=(), seed=0, keeps=True, group=None, step=0
    ):
        rows = {table.shape[0] for table in [*tables, *lookups]}
        if len(rows) != 1:
            raise ValueError(f"the tables have {sorted(rows)} rows; all need as many")
        self.rows = rows.pop()
        both = math.ceil(_rate_of(rate) * self.rows)
        self.frequent = both // 2
        self.random = both - both // 2
        self.seed = seed
        self.keeps = keeps
        self.group = group
        self.step = step
        self.floats = 0  # that this rank gave to be summed in the last step
        self._lookups = {id(table) for table in lookups}
        self._kept = {id(table): None for table in [*tables, *lookups]}
        self._words = []
        self._chosen = None
        self._looked_up = None
        self._sends_all = False

    def see(self, words):
        """The words of this rank's mini-batch; several calls add up until the backward pass."""
        self._words.append(words.detach().reshape(-1).to(torch.int64))

    def exchange_all(self):
        """The next step exchanges all rows, kept ones too: before a checkpoint, on all ranks."""
        self._sends_all = True

    def _turns(self, device):
        """The rows that are drawn in this step: each in its turn, then in another order."""
        others = self.rows - self.frequent
        if self.random == 0 or others == 0:
            return torch.empty(0, dtype=torch.int64, device=device)
        turns = torch.arange(self.step * self.random, (self.step + 1) * self.random)
        rounds = turns // others
        drawn = []
        for number in rounds.unique().tolist():
            generator = torch.Generator().manual_seed(self.seed * 1_000_003 + number)
            order = torch.randperm(others, generator=generator)
            drawn.append(order[turns[rounds == number] % others])
        return self.frequent + torch.cat(drawn).to(device)

    def _choose(self, device):
        """The rows of a table that travel, and those of one that is only looked up."""
        if self._sends_all or self.frequent + self.random == self.rows:
            every = torch.arange(self.rows, device=device)
            return every, every
        chosen = torch.zeros(self.rows, dtype=torch.uint8, device=device)
        for words in self._words:
            chosen[words.to(device)] = 1
        dist.all_reduce(chosen, op=dist.ReduceOp.MAX, group=self.group)
        if not chosen.any():  # on all ranks
            raise RuntimeError("no words of this step are known; call see() before backward()")
        looked_up = chosen.nonzero().squeeze(1)
        chosen[: self.frequent] = 1
        chosen[self._turns(device)] = 1
        return chosen.nonzero().squeeze(1), looked_up

    def _rows_of(self, table):
        return self._looked_up if id(table) in self._lookups else self._chosen

    def _take(self, table, gradient):
        """The rows of a table that travel; the others stay where they are kept."""
        rows = self._rows_of(table)
        kept = self._kept[id(table)]
        if kept is None:
            kept = self._kept[id(table)] = torch.zeros_like(gradient)
        kept += gradient
        sent = kept[rows]
        if self.keeps:
            kept[rows] = 0
        else:
            kept.zero_()
        return sent

    def _end_step(self):
        self.step += 1
        self._words = []
        self._chosen = None
        self._looked_up = None
        self._sends_all = False
        if any(kept is None for kept in self._kept.values()):  # no bucket had it
            raise RuntimeError("a table is no parameter of the model that needs a gradient")

    def _exchange(self, bucket):
        if bucket.index() == 0:
            self.floats = 0
            self._chosen, self._looked_up = self._choose(bucket.buffer().device)
        parts = []  # of the bucket: where it belongs, its rows, what travels
        for parameter, gradient in zip(bucket.parameters(), bucket.gradients()):
            if id(parameter) in self._kept:
                sent = self._take(parameter, gradient)
                parts.append((gradient, self._rows_of(parameter), sent))
            else:
                parts.append((gradient, None, gradient))
        flat = torch.cat([sent.reshape(-1) for _, _, sent in parts])
        flat /= dist.get_world_size(self.group)
        self.floats += flat.numel()
        if bucket.is_last():
            self._end_step()

        def unpack(future):
            rest = future.value()[0]
            for gradient, rows, sent in parts:
                values = rest[: sent.numel()].view_as(sent)
                rest = rest[sent.numel() :]
                if rows is None:
                    gradient.copy_(values)
                else:
                    gradient.zero_()
                    gradient[rows] = values
            return bucket.buffer()

        work = dist.all_reduce(flat, group=self.group, async_op=True)
        return work.get_future().then(unpack)


def sampled_rows(sampling, bucket):
    """The communication hook: model.register_comm_hook(sampling, sampled_rows)."""
    return sampling._exchange(bucket)
