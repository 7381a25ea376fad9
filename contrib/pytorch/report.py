"""How the trainer speaks: remarks, errors, and one JSON line of progress a report."""

import json
import sys
import time


class Fatal(Exception):
    """What the user has to put right."""


class CommonFatal(Fatal):
    """All ranks come to it."""


def remark(text):
    print(f"train.py: {text}", file=sys.stderr, flush=True)


class Progress:
    """One JSON line a report; a full disk is reported once and does not stop the training."""

    def __init__(self, path):
        self.path = path
        self.is_failing = False
        self.last = time.monotonic()

    def restart_clock(self):
        self.last = time.monotonic()

    def append(self, step, epoch, samples):
        now = time.monotonic()
        line = {"step": step, "epoch": epoch, "samples": samples}
        line["seconds"] = round(now - self.last, 6)
        self.last = now
        if not self.path:
            return
        try:
            with open(self.path, "a") as file:
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
            self.is_failing = False
        except OSError as error:
            if not self.is_failing:
                remark(f"cannot append to the progress file: {error}; training goes on")
            self.is_failing = True
