#!/usr/bin/python3
"""Do jobs start on GPUs of one switch wherever such are free? Hora's and Slurm's own, side by side.

Runs in a private cluster: fragmentations.py PARTITION GPUS [--count N] [--seed S]. Jobs that hold
one GPU each leave GPUs free by lot; then the same job is started without Hora's options and with
them. Prints one line, "good" being the fewest switches, all of each; 1 where Hora's job missed.
"""

import argparse
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import time

SWITCH = 2  # GPUs on one
PATIENCE = 30  # seconds, for anything that is waited for
MODEL = ["--hora-model=resnet18", "--hora-batch=64"]


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {result.stderr.strip()}")
    return result.stdout + result.stderr


def wait_for(what, condition):
    deadline = time.monotonic() + PATIENCE
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > deadline:
            raise RuntimeError(f"waited {PATIENCE} s in vain for {what}\n{run('squeue')}")
        time.sleep(0.05)


def indices(text):
    """0,2-3 -> 0 2 3"""
    found = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def places():
    """By running job: the node and the GPUs that it holds there."""
    found = {}
    for line in run("scontrol", "--oneliner", "--detail", "show", "job").splitlines():
        where = re.search(r" Nodes=(\S+) .*?GRES=\S*?\(IDX:([\d,-]+)\)", line)
        if "JobState=RUNNING" in line and where:
            found[re.match(r"JobId=(\d+)", line)[1]] = (where[1], indices(where[2]))
    return found


def cancel(jobs):
    if jobs:
        run("scancel", *jobs)
        wait_for("cancelled jobs to go",
                 lambda: not set(run("squeue", "-h", "-o", "%A").split()) & set(jobs))


class Fillers:
    """Jobs that hold one GPU each."""

    def __init__(self, partition):
        self.partition = partition
        self.jobs = {}  # by node and GPU
        self.gpus = {}  # by node: how many
        for line in run("sinfo", "-h", "-N", "-p", partition, "-o", "%N %G").splitlines():
            self.gpus[line.split()[0]] = int(re.search(r"gpu:\w+:(\d+)", line)[1])

    def start(self, node):
        return re.search(r"job allocation (\d+)", run(
            "salloc", "--no-shell", "-p", self.partition, "-w", node, "-n1", "--gres=gpu:1"))[1]

    def fill(self):
        held = [node for node, _ in self.jobs]
        wanted = [node for node, count in self.gpus.items()
                  for _ in range(count - held.count(node))]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            started = list(pool.map(self.start, wanted))
        found = places()
        for job in started:
            node, (gpu,) = found[job]
            self.jobs[node, gpu] = job

    def leave_free(self, chosen):
        cancel([self.jobs.pop(place) for place in chosen])

    def clear(self):
        cancel(list(self.jobs.values()))


def switches(gpus):
    return {gpu // SWITCH for gpu in gpus}


def is_good(gpus):
    return len(switches(gpus)) * SWITCH == len(gpus)


def exists(chosen, nodes, wanted):
    """Could a node give the job whole switches?"""
    for node in nodes:
        free = [gpu for place, gpu in chosen if place == node]
        whole = [s for s in switches(free) if all(s * SWITCH + i in free for i in range(SWITCH))]
        if len(whole) * SWITCH >= wanted:
            return True
    return False


def submit(arguments, hold=False):
    return re.search(r"job (\d+)", run("sbatch", "-o", "/dev/null", *(["-H"] if hold else []),
                                       *arguments, "--wrap", "exec sleep 1000"))[1]


def where(job):
    """The GPUs that the job got; none where it waits for them."""
    def decided():
        line = run("scontrol", "--oneliner", "show", "job", job)
        if "JobState=RUNNING" in line:
            return places()[job][1]
        return "waits" if "Reason=Resources" in line else None
    found = wait_for(f"job {job} to start or wait", decided)
    return [] if found == "waits" else found


def outcome(job):
    gpus = where(job)
    cancel([job])
    return gpus


class Snapshots:
    """Refreshes what submissions are planned on."""

    def __init__(self):
        self.path = os.path.join(os.path.dirname(os.environ["HORA_CONF"]),
                                 "../state/hora/snapshot.json")
        self.last = 0

    def take(self):
        def is_newer():
            run("hora", "cluster", "snapshot", "--output", self.path)
            with open(self.path, encoding="utf-8") as file:
                written = json.load(file)["written"]
            newer, self.last = written > self.last, written
            return newer
        wait_for("the next second", is_newer)

    def submit(self, arguments):
        """The controller looks once a second: until a job is planned on the newest."""
        def planned():
            job = submit(arguments, hold=True)
            if f'"snapshot":{self.last}' in run("scontrol", "--oneliner", "show", "job", job):
                run("scontrol", "release", job)
                return job
            cancel([job])
            return None
        return wait_for("a plan on the newest snapshot", planned)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("partition")
    parser.add_argument("gpus", type=int)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lot = random.Random(options.seed)
    fillers = Fillers(options.partition)
    snapshots = Snapshots()
    request = ["-p", options.partition, "-N1", f"--ntasks-per-node={options.gpus}",
               f"--gres=gpu:{options.gpus}"]
    possible = native = ours = started = 0
    for _ in range(options.count):
        fillers.fill()
        share = lot.uniform(0.25, 0.6) + (0.2 if options.gpus > SWITCH else 0)
        chosen = [place for place in sorted(fillers.jobs) if lot.random() < share]
        fillers.leave_free(chosen)
        native_gpus = outcome(submit(request))
        snapshots.take()
        our_gpus = outcome(snapshots.submit([*request, *MODEL]))
        started += bool(our_gpus) or not native_gpus
        if exists(chosen, fillers.gpus, options.gpus):
            possible += 1
            native += is_good(native_gpus) and bool(native_gpus)
            ours += is_good(our_gpus) and bool(our_gpus)
    fillers.clear()
    print(f"{options.partition}, {options.gpus} GPUs: good ones free in {possible} of "
          f"{options.count} fragmentations; got by Hora {ours}, by Slurm alone {native}; started "
          f"where Slurm's own did {started}", flush=True)
    return 0 if ours == possible and started == options.count else 1


if __name__ == "__main__":
    sys.exit(main())
