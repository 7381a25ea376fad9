"""Does DDP with sampled rows bring each gradient to all ranks, once? Run on ranks by torchrun's
variables; prints "rank R: fine" or what is wrong."""

import os
import sys

import torch
import torch.distributed as dist

sys.path.insert(0, sys.argv[1])
from hora_torch import SampledRows, sampled_rows

WORDS, WIDTH, STEPS = 50, 4, 30


class Tables(torch.nn.Module):
    """Its gradients depend on the words and the step alone, in whole numbers."""

    def __init__(self):
        super().__init__()
        self.input = torch.nn.Embedding(WORDS, WIDTH)
        self.output = torch.nn.Linear(WIDTH, WORDS)
        self.inner = torch.nn.Linear(WIDTH, WIDTH)
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.zero_()

    def forward(self, words, factor):
        factors = factor * torch.arange(WORDS)
        return (
            self.input(words).sum()
            + (self.output.weight.sum(1) * factors).sum()
            + (self.output.bias * factors).sum()
            + factor * (self.inner.weight.sum() + self.inner.bias.sum())
        )


def words_of(rank, step):
    return torch.tensor([(step * 13 + rank * 7) % WORDS, (step * 5 + 31) % WORDS])


def train(model, rank, sampling=None):
    network = model.module
    floats = []
    for step in range(STEPS):
        network.zero_grad()
        words = words_of(rank, step)
        if sampling:
            sampling.see(words)
            if step == STEPS - 1:
                sampling.exchange_all()
        model(words, 1 + (step + rank) % 3).backward()
        with torch.no_grad():
            for parameter in network.parameters():
                parameter -= parameter.grad * 2  # ranks divide by their number, which is 2
        if sampling:
            floats.append(sampling.floats)
    return [parameter.detach().clone() for parameter in network.parameters()], floats


def sampled(rank, rate, ddp=None, **options):
    network = Tables()
    model = torch.nn.parallel.DistributedDataParallel(network, **(ddp or {}))
    tables = [network.output.weight, network.output.bias]
    sampling = SampledRows(tables, rate, lookups=[network.input.weight], **options)
    model.register_comm_hook(sampling, sampled_rows)
    return train(model, rank, sampling)


def failure_of(model):
    try:
        model(torch.tensor([1]), 1).backward()
    except RuntimeError as error:
        return str(error)
    return "it is taken"


def complaints_of_use(rank):
    """A rank without words, words of another type, none on any rank, and a table of no model."""
    network = Tables()
    model = torch.nn.parallel.DistributedDataParallel(network)
    sampling = SampledRows([network.output.weight], 0.1, lookups=[network.input.weight])
    model.register_comm_hook(sampling, sampled_rows)
    words = torch.tensor([3, 4], dtype=torch.int32) if rank == 0 else torch.empty(0)
    sampling.see(words)
    model(words.long(), 1).backward()
    if not (network.input.weight.grad[3:5] == 0.5).all():
        yield "words of one rank are not those of all"
    if "call see()" not in (failure := failure_of(model)):
        yield f"a step without words: {failure}"
    network = Tables()
    model = torch.nn.parallel.DistributedDataParallel(network)
    sampling = SampledRows([network.input.weight.data], 0.1)
    model.register_comm_hook(sampling, sampled_rows)
    sampling.see(torch.tensor([1]))
    if "a table is no parameter" not in (failure := failure_of(model)):
        yield f"a table of no model: {failure}"


def complaints(rank):
    plain, _ = train(torch.nn.parallel.DistributedDataParallel(Tables()), rank)
    whole = sum(parameter.numel() for parameter in plain)
    for rate in (1, 0.2, 0.02, 0):
        got, floats = sampled(rank, rate, seed=3)
        if not all(torch.equal(a, b) for a, b in zip(plain, got)):
            yield f"rate {rate}: not all gradients arrived once"
        if (max(floats[:-1]) < 0.7 * whole) != (rate < 1) or floats[-1] != whole:
            yield f"rate {rate}: {max(floats[:-1])} and at last {floats[-1]} of {whole} floats"
    dist._DEFAULT_FIRST_BUCKET_BYTES = 1  # a bucket for each parameter
    parts = {"bucket_cap_mb": 1e-6, "gradient_as_bucket_view": True}
    got, floats = sampled(rank, 0.2, parts, seed=3)
    if not all(torch.equal(a, b) for a, b in zip(plain, got)) or floats[-1] != whole:
        yield f"several buckets: {floats[-1]} of {whole} floats at last"
    _, floats = sampled(rank, 0.5)
    # Of the table that is looked up no rows but those of at most 4 words, of the others half as well.
    most = 4 * WIDTH + (WORDS // 2 + 4) * (WIDTH + 1) + WIDTH * (WIDTH + 1)
    if max(floats[:-1]) > most:
        yield f"more rows than {most} floats are looked up: {max(floats[:-1])}"
    yield from complaints_of_use(rank)
    got, _ = sampled(rank, 0.2, keeps=False)
    if all(torch.equal(a, b) for a, b in zip(plain, got)):
        yield "without what is kept nothing is lost"
    seen = torch.zeros(WORDS)
    for step in range(STEPS):
        for one in (0, 1):
            seen += torch.bincount(words_of(one, step), minlength=WORDS)
    if not torch.equal(got[0], -seen[:, None].expand(WORDS, WIDTH)):
        yield "the rows of the words themselves are lost"
    os.environ["HORA_SAMPLE_RATE"] = "0.2"
    if SampledRows([torch.zeros(100, 2)]).random != 10:
        yield "HORA_SAMPLE_RATE is not looked at"
    os.environ["HORA_SAMPLE_RATE"] = "much"
    for wrong, arguments in (
        ("HORA_SAMPLE_RATE is 'much'; it is a number from 0 to 1", ([torch.zeros(9, 2)],)),
        ("rate is 2; it is a number from 0 to 1", ([torch.zeros(9, 2)], 2)),
        (
            "the tables have [8, 9] rows; all need as many",
            ([torch.zeros(9, 2), torch.zeros(8, 2)], 1),
        ),
    ):
        try:
            SampledRows(*arguments)
            yield f"taken: {wrong}"
        except ValueError as error:
            if str(error) != wrong:
                yield f"said: {error}"


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    found = list(complaints(rank))
    dist.barrier()
    dist.destroy_process_group()  # its threads must not outlive the interpreter
    print(f"rank {rank}: {'; '.join(found) or 'fine'}")


main()
