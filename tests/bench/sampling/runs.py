"""What the comparisons of exchanges have in common: their options, and the means of their seeds."""
import statistics

import links


def add_options(parser):
    parser.add_argument("--text", default=links.TEXT)
    parser.add_argument("--words", type=int, default=100_000)
    parser.add_argument("--vocabulary", type=int, default=5_000)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--batch", type=int, default=32, help="samples of 20 words, of all ranks")
    parser.add_argument("--epochs", type=int, default=2, help="of the run with all gradients")
    parser.add_argument("--learning-rate", type=float, default=0.5)
    parser.add_argument("--ranks", type=int, default=2, help="which share the batch")
    parser.add_argument("--rates", type=float, nargs="+", default=[0.05])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])


def mean_line(name, changes):
    """Mean and range over the seeds of each change of perplexity."""
    parts = [f"{what}:{statistics.mean(values):+.4f}[{min(values):+.4f},{max(values):+.4f}]"
             for what, values in changes.items() if values]
    return f"{name} mean {' '.join(parts)}"
