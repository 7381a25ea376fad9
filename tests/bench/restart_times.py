#!/usr/bin/python3
"""How long does a resized job stand still, and where does the time go?

one    resizes a job and prints a line of seconds since READY: what slurmctld and the node had done
table  adds such lines up
"""

import argparse
import datetime
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

PHASES = ["requeue asked for", "last run cleaned up", "may begin", "nodes given", "script runs",
          "first step"]
LIMIT = 150  # seconds


def wait_for(what, find):
    """Polls until it finds something, without which there is nothing to measure."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        found = find()
        if found:
            return found
        time.sleep(0.002)
    sys.exit(f"restart_times.py: waited {LIMIT} s in vain for {what}")


def changed(path, since):
    """When it was last written, if that was later."""
    try:
        written = os.stat(path).st_mtime
    except FileNotFoundError:
        return None
    return written if written > since else None


def log_time(text):
    return datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc).timestamp()


def logged(log, since, pattern):
    """The time of the first line since then; and what its group holds."""
    for line in log.read_text(errors="replace").splitlines():
        match = re.match(r"\[([^\]]+)\] (.*)", line)
        if match and log_time(match[1]) >= since:
            found = re.search(pattern, match[2])
            if found:
                return log_time(match[1]), found.group(1) if found.groups() else None
    return None, None


def measure(options):
    folder = pathlib.Path(options.folder)
    progress = folder / "progress.jsonl"
    asked = time.time()
    subprocess.run(["hora", "resize", options.job, options.gpus], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ready = wait_for("READY", lambda: changed(folder / "READY", asked))
    noted = wait_for("the requeue", lambda: changed(folder / "restarts", ready))
    script = wait_for("the script", lambda: changed(options.starts, ready))
    step = wait_for("a step", lambda: changed(progress, script))
    clean, _ = logged(options.log, ready, f"Requeuing JobId={options.job}$")
    _, begin = logged(options.log, ready, rf"setting begin to (\S+) for JobId={options.job}$")
    given, _ = logged(options.log, ready, f"(?:Allocate|Started) JobId={options.job} ")
    # The new start leaves a line in that file too; a late look sees no other.
    times = [noted if noted < script else None, clean, log_time(begin) if begin else None, given, script, step]
    print(" ".join("-" if moment is None else f"{moment - ready:.3f}" for moment in times))


def shown(values):
    ordered = sorted(values)
    p95 = ordered[math.ceil(0.95 * len(ordered)) - 1]
    return f"{statistics.median(values):8.2f} {p95:8.2f} {ordered[-1]:8.2f}"


def table(options):
    rows = [line.split() for line in pathlib.Path(options.file).read_text().splitlines()]
    print(f"{options.title}: {len(rows)} resizes; seconds since READY")
    print(f"  {'':22} {'median':>8} {'p95':>8} {'max':>8}")
    for place, phase in enumerate(PHASES):
        values = [float(row[place]) for row in rows if row[place] != "-"]
        if values:
            print(f"  {phase:22} {shown(values)}")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("one")
    for name in ("job", "gpus", "folder", "starts"):
        one.add_argument(f"--{name}", required=True)
    one.add_argument("--log", type=pathlib.Path, required=True)
    one.set_defaults(run=measure)
    many = commands.add_parser("table")
    many.add_argument("--title", required=True)
    many.add_argument("file")
    many.set_defaults(run=table)
    options = parser.parse_args()
    options.run(options)


main()
