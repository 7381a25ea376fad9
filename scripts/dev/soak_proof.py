"""Was each step of a job's training done once, and never by two of its starts at a time?

Reads what scripts/dev/soak_trainer.py writes down. A start goes on after the newest checkpoint, and
then does step after step. Where the last start ended beyond its checkpoint, the steps since are
done again: that is right after a kill that left it no time for one, and wrong after anything else.
"""

import dataclasses


@dataclasses.dataclass
class Start:
    """One start of the training program."""
    at: float
    count: int  # Slurm's restarts of the job
    gpus: int
    since: int  # the step that it goes on after
    again: int  # steps that it does again


class Proof:
    """Of one job; what is appended to its file is read in turn."""

    def __init__(self, path):
        self.path = path
        self.place = 0
        self.starts = []
        self.step = self.kept = 0
        self.wrong = []
        self.waits = []  # (when a start found another one and waited for its end, when that began)
        self.at = 0.0  # of the last line

    def read(self):
        """The starts that are new since."""
        known = len(self.starts)
        if self.path.exists():
            with open(self.path, "rb") as file:
                file.seek(self.place)
                text = file.read()
            whole = text[:text.rfind(b"\n") + 1]
            self.place += len(whole)
            for line in whole.decode().splitlines():
                at, what, *numbers = line.split()
                self.at = float(at)
                getattr(self, f"see_{what}")(*map(int, numbers))
        return self.starts[known:]

    def see_start(self, count, gpus, since):
        # It may have ended between its checkpoint and the line for it.
        if since not in (self.kept, self.step):
            self.wrong.append(f"start {count} goes on after step {since}, and the checkpoint is of "
                              f"step {self.kept}, the last step {self.step}")
        self.starts.append(Start(self.at, count, gpus, since, max(self.step - since, 0)))
        self.step = self.kept = since

    def see_step(self, step):
        if step != self.step + 1:
            self.wrong.append(f"step {step} came after step {self.step}")
        self.step = step

    def see_checkpoint(self, step):
        if step != self.step:
            self.wrong.append(f"a checkpoint of step {step} came after step {self.step}")
        self.kept = step

    def see_twice(self, _):
        self.waits.append((self.at, self.starts[-1].at if self.starts else self.at))

    def rescales(self):
        """Starts at another number of GPUs than the one before."""
        return sum(one.gpus != other.gpus for one, other in zip(self.starts, self.starts[1:]))
