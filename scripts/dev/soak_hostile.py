#!/usr/bin/python3
"""Does an owner who means ill get ahead of others, or disturb them?

soak_hostile.py --cluster DIR --program FILE --owner FILE --port N --minutes N --seed N, on a cluster
that devcluster has brought up with accounting and horad, and soak_site.bash with its users. horad
resizes jobs of three users; one of them runs FILE (tests/e2e/hostile_owner.cpp), which every few
milliseconds does something to the jobs of its own. Each minute it pauses, horad ends what it has
begun, and then it is looked at:

  - no job has a higher priority than it was submitted with, or a hold or a begin time that nobody
    gave it, without an entry of horad's journal
  - no job of the two others was passed over: none of the owner's started while one of theirs, of
    higher priority and with a need that fits anywhere, waited, but by a resize of the history
  - all jobs of the two others end well, and each step is done once
  - no daemon has ended

It ends with a table; 0 if nothing was wrong.
"""

import argparse
import collections
import dataclasses
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import time

import soak_cluster

OWNER, OTHERS = "games", ("mail", "news")
ELASTIC = {OWNER: 4, "mail": 2, "news": 2}  # jobs at a time
WAITING = 4  # jobs of one GPU that the others have in the queue
ELASTIC_OPTIONS = ("--hora-model=resnet50 --hora-batch=64 --hora-samples=64 --hora-gpus=1-16 "
                   "--hora-elastic --time=30").split()
# Above everything else, and short: whatever starts in their stead could have waited for them.
SHORT_OPTIONS = "--nodes=1 --gres=gpu:1 --qos=first --time=1".split()
ATTACK = 45  # seconds of each minute
PAUSE = 90  # seconds that horad has to end what it has begun
SWEEP = 15  # seconds that a priority may stand without an entry
SLACK = 5  # seconds that slurmctld takes to look at its queue


@dataclasses.dataclass
class Job:
    number: int
    user: str
    is_elastic: bool
    priority: int = 0  # at its submission
    submitted: float = 0


@dataclasses.dataclass
class Queued:
    number: int
    state: str
    priority: int
    user: str
    reason: str


class Hostile(soak_cluster.Cluster):
    def __init__(self, options):
        super().__init__("hostile", options.cluster)
        self.options = options
        self.random = random.Random(options.seed)
        self.jobs = {}
        self.checked = set()  # starts that were looked at
        self.counts = collections.Counter()
        self.since = {}  # when a job was first seen with a priority that nothing accounts for

    # -- jobs ---------------------------------------------------------------

    def submit(self, user, is_elastic):
        steps = self.random.randint(200, 500)
        file = self.work / f"script.{len(self.jobs)}"
        program = f"{self.options.program} {steps} 1 {self.work}/brake"
        run = f"srun --nodes=1 --ntasks=1 {program}" if is_elastic else \
            f"sleep {self.random.randint(2, 8)}"
        file.write_text(f'#!/bin/bash\n{run}\necho "after: $?"\n')
        file.chmod(0o755)
        options = [*ELASTIC_OPTIONS, f"--hora-epochs={steps}"] if is_elastic else SHORT_OPTIONS
        number = self.submit_as(user, options, file)
        if number:
            self.jobs[number] = Job(number, user, is_elastic, self.own_priority(number),
                                    time.time())
            self.counts["elastic jobs" if is_elastic else "short jobs"] += 1

    def own_priority(self, number):
        text = subprocess.run(["squeue", "--noheader", "--format=%Q", f"--jobs={number}"],
                              capture_output=True, text=True).stdout
        return int(text or 0)

    def details(self):
        text = subprocess.run(["squeue", "--noheader", "--all", "--format=%A %T %Q %u %r"],
                              check=True, capture_output=True, text=True).stdout
        for line in text.splitlines():
            number, state, priority, user, reason = line.split(None, 4)
            yield Queued(int(number), state, int(priority), user, reason)

    def fill(self):
        """As many jobs as there are to be at a time."""
        there = list(self.details())
        for user, count in ELASTIC.items():
            held = [job for job in there if job.user == user and job.number in self.jobs
                    and self.jobs[job.number].is_elastic]
            for _ in range(count - len(held)):
                self.submit(user, True)
        waiting = [job for job in there if job.user in OTHERS and job.number in self.jobs
                   and not self.jobs[job.number].is_elastic]
        if len(waiting) < WAITING:
            self.submit(self.random.choice(OTHERS), False)

    # -- at any moment ------------------------------------------------------

    def entries(self):
        """The jobs that the journal accounts for; None while it is being replaced."""
        try:
            text = (self.folder / "state/hora/resizes.json").read_text()
        except FileNotFoundError:
            return set()
        return {entry["job"] for entry in json.loads(text)["resizes"]}

    def look(self):
        before, queue, after = self.entries(), list(self.details()), self.entries()
        now, wrong = time.monotonic(), set()
        for job in queue:
            own = self.jobs.get(job.number)
            if not own or job.number in before | after:
                continue
            # One that runs has it again at its next start, and the one after that.
            if job.priority > own.priority:
                wrong.add(job.number)
                if now - self.since.setdefault(job.number, now) > SWEEP:
                    self.note(job.number, f"of {job.user} is {job.state} with priority "
                              f"{job.priority}, was submitted with {own.priority}, and no entry "
                              "accounts for it")
                    self.since[job.number] = now + 3600
            if job.user in OTHERS and ("held" in job.reason.lower() or not job.priority):
                self.note(job.number, f"of {job.user} is held: {job.reason}")
                subprocess.run(["scancel", str(job.number)])
        self.since = {job: at for job, at in self.since.items() if job in wrong}

    # -- each minute --------------------------------------------------------

    def attack(self, number):
        mine = [job.number for job in self.details() if job.user == OWNER]
        command = [self.options.owner, str(self.options.seed + number), "2", str(ATTACK),
                   str(self.options.port), f"{self.folder}/run/munge.socket", *map(str, mine)]
        return subprocess.Popen(
            ["setpriv", f"--reuid={OWNER}", f"--regid={OWNER}", "--clear-groups", *command],
            stdout=subprocess.PIPE, text=True)

    def count_attacks(self, text):
        for line in text.splitlines():
            name, taken, _, refused = line.replace(",", "").split()
            self.counts[name] += int(taken)
            self.counts[f"{name}, refused"] += int(refused)

    def settle(self):
        """Until horad has ended what it has begun; then a moment for the sweep."""
        deadline = time.monotonic() + PAUSE
        while self.entries() and time.monotonic() < deadline:
            self.look()
            time.sleep(1)
        if self.entries():
            self.note(0, f"entries of the journal stand {PAUSE} s after the last attack: "
                      f"{self.entries()}")
        until = time.monotonic() + SWEEP + 2
        while time.monotonic() < until:
            self.look()
            time.sleep(1)

    def resized(self):
        """When the history has a resize of which job begin."""
        with sqlite3.connect(f"file:{self.folder}/state/hora/history.db?mode=ro", uri=True) as base:
            return list(base.execute("SELECT job, asked FROM rescales"))

    def check_order(self, starts):
        """None starts in the stead of one of higher priority that would fit anywhere."""
        resized = self.resized()
        waits = [(self.jobs[start.job].submitted + SLACK, int(start.begin) - SLACK, start.job)
                 for start in starts if start.job in self.jobs and start.begin.isdigit()
                 and self.jobs[start.job].user in OTHERS and not self.jobs[start.job].is_elastic]
        for start in starts:
            job, key = self.jobs.get(start.job), (start.job, start.begin)
            if not job or job.user != OWNER or not start.begin.isdigit() or key in self.checked:
                continue
            self.checked.add(key)
            begin = int(start.begin)
            if any(number == start.job and begin - 2 * PAUSE < asked < begin + SLACK
                   for number, asked in resized):
                continue
            for first, last, other in waits:
                if first < begin < last:
                    self.note(start.job, f"started at {begin} with {start.gpus} GPUs, and job "
                              f"{other} waited from {first:.0f} to {last}")
                    break

    def check_others(self, starts):
        last = {start.job: start for start in starts}
        for number, job in self.jobs.items():
            start = last.get(number)
            if job.user not in OTHERS or not start or not start.end.isdigit():
                continue
            text = (self.work / f"{number}.4294967294.out").read_text(errors="replace")
            if start.state != "COMPLETED":
                self.note(number, f"of {job.user} ended {start.state}")
            elif text.count("after: 0") != 1 or text.count("after:") != 1:
                self.note(number, f"of {job.user} did not end once and well; it wrote:\n{text}")
            job.user = ""  # looked at

    def minute(self, number):
        self.fill()
        attack = self.attack(number)
        while attack.poll() is None:
            self.fill()
            self.look()
            time.sleep(self.random.uniform(0.2, 1))
        self.count_attacks(attack.stdout.read())
        self.settle()
        starts = list(self.starts())
        self.check_order(starts)
        self.check_others(starts)
        self.check_daemons()
        self.say(f"minute {number}: {len(starts)} starts, {len(self.resized())} resizes, "
                 f"{self.wrong} wrong so far")

    def run(self):
        self.daemons = self.pids()
        for user in (OWNER, *OTHERS):
            (self.work / user).mkdir()
            shutil.chown(self.work / user, user)
        (self.work / "brake").touch()
        end, number = time.monotonic() + 60 * self.options.minutes, 0
        while number == 0 or time.monotonic() < end:
            number += 1
            self.minute(number)
        for name, count in sorted(self.counts.items()):
            print(f"{count:8}  {name}")
        resizes = len(self.resized())
        print(f"{resizes} resizes, seed {self.options.seed}: {self.wrong} wrong")
        return 1 if self.wrong or not resizes else 0


def main():
    parser = argparse.ArgumentParser(description="a hostile owner on a private cluster")
    for name in ("--cluster", "--program", "--owner"):
        parser.add_argument(name, required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    sys.exit(Hostile(parser.parse_args()).run())


main()
