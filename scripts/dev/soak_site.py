#!/usr/bin/python3
"""Does a site's mixture of jobs, at random and for long, lose none, and does nothing restart?

soak_site.py --cluster DIR --program FILE --minutes N --seed N, on a cluster that devcluster has
brought up with accounting and horad. Each round submits fifty jobs of several users, cancels and
requeues some while they run, waits until all have ended, and then looks at what the database says
of each start of each job. It ends with a table; 0 if nothing was wrong.
"""

import collections
import dataclasses
import re
import time

import soak_cluster
from soak_cluster import job_of

JOBS = 50
USERS = ("games", "mail", "news")
TIGHT = 4  # GPUs that one user may hold by the QOS of that name
ROUND_LIMIT = 600  # seconds for the jobs of a round to end, two minutes of a requeued one included
MODEL = "--hora-model=resnet50 --hora-batch=64 --hora-samples=64".split()
ENDED = {"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL",
         "DEADLINE", "PREEMPTED", "REVOKED"}


@dataclasses.dataclass
class Kind:
    """What is submitted, with which options, and how many GPUs each of its parts may have."""
    weight: int
    options: list
    least: int
    most: int
    parts: int = 1
    trains: bool = False


KINDS = {
    "elastic": Kind(10, [*MODEL, "--hora-gpus=1-8", "--hora-elastic"], 1, 8, trains=True),
    "wrapper": Kind(5, [*MODEL, "--hora-gpus=1-4", "--hora-elastic"], 1, 4, trains=True),
    "planned": Kind(10, [*MODEL, "--hora-epochs=100", "--hora-gpus=1-4"], 1, 4),
    "rigid": Kind(8, ["--nodes=1", "--gres=gpu:2"], 2, 2),
    "array": Kind(4, [*MODEL, "--hora-epochs=9", "--hora-gpus=1-2", "--array=0-2"], 1, 2, parts=3),
    "heterogeneous": Kind(3, ["--gres=gpu:1", "--nodes=1", ":", "--gres=gpu:1", "--nodes=1"], 1, 1,
                          parts=2),
    "inner": Kind(5, ["--partition=inner", "--nodes=1", "--gres=gpu:1"], 1, 1),
    "limited": Kind(5, [*MODEL, "--hora-epochs=100", "--hora-gpus=1-8", "--qos=tight"], 1, TIGHT),
}


@dataclasses.dataclass
class Job:
    number: int
    kind: str
    user: str
    steps: int
    cancelled: bool = False
    requeued: bool = False


class Soak(soak_cluster.Cluster):
    def __init__(self, options):
        super().__init__("site", options)
        self.wrong_jobs = set()
        self.counts = collections.defaultdict(collections.Counter)

    def note(self, job, text):
        kind = self.jobs[job].kind if job in self.jobs else "cluster"
        self.wrong_jobs.add(job)
        self.counts[kind]["wrong"] += 1
        super().note(job, text)

    # -- jobs ---------------------------------------------------------------

    def script(self, kind, steps, seconds):
        """What a job does: it says how many GPUs it may open, then trains or sleeps."""
        program = f'{self.options.program} {steps} "$SLURM_NTASKS" {self.work}/brake'
        if kind == "wrapper":
            program = f"bash -c 'true; {program}; exit $?'".replace('"$SLURM_NTASKS"', "1")
        run = f"srun --nodes=1 --ntasks=1 {program}" if KINDS[kind].trains else f"sleep {seconds}"
        return f"""#!/bin/bash
refused=$(for gpu in {self.folder}/dev/nvidia?; do : <"$gpu"; done 2>&1 | grep -c 'not permitted')
echo "opened $((4 - refused)) nodes $SLURM_JOB_NUM_NODES"
{run}
echo "after: $?"
"""

    def submit(self):
        kind = self.random.choices(list(KINDS), [kind.weight for kind in KINDS.values()])[0]
        user, steps = self.random.choice(USERS), self.random.randint(20, 200)
        options = list(KINDS[kind].options)
        if KINDS[kind].trains:
            options.append(f"--hora-epochs={steps}")
        file = self.work / f"script.{len(self.jobs)}"
        file.write_text(self.script(kind, steps, self.random.randint(1, 15)))
        file.chmod(0o755)
        number = self.submit_as(user, ["--time=30", *options], file)
        if not number:
            return
        self.jobs[number] = Job(number, kind, user, steps)
        self.counts[kind]["submitted"] += 1

    def disturb(self):
        """Cancels or requeues one that runs."""
        running = [job.number for job in self.queue()
                   if job.state == "RUNNING" and job.number in self.jobs]
        running = [job for job in running if self.jobs[job].kind not in ("array", "heterogeneous")]
        if not running:
            return
        job = self.jobs[self.random.choice(running)]
        if self.random.random() < 0.5:
            job.cancelled = self.call("scancel", str(job.number))
            self.counts[job.kind]["cancelled"] += job.cancelled
        elif not KINDS[job.kind].trains and not job.requeued:
            # One that ends just now is not requeued.
            job.requeued = self.call("scontrol", "requeue", str(job.number))
            self.counts[job.kind]["requeued"] += job.requeued

    # -- what has come of them ----------------------------------------------

    def look(self):
        """At any moment: no user holds a job here, so none is to be held."""
        for job in self.queue():
            if job.is_held or job.reason == "BadConstraints":
                self.note(job.number, f"is held: {job.reason}")
                self.call("scancel", str(job.number))

    def check_ends(self, starts):
        last = {start.part: start.state for start in starts}
        parts = collections.Counter(job_of(part) for part in last)
        for job in self.jobs.values():
            states = {state for part, state in last.items() if job_of(part) == job.number}
            good = {"COMPLETED", "CANCELLED"} if job.cancelled else {"COMPLETED"}
            if not job.cancelled and parts[job.number] != KINDS[job.kind].parts:
                self.note(job.number, f"is lost: {parts[job.number]} of its parts ever started")
            elif states - good:
                self.note(job.number, f"of {job.kind} ended {', '.join(sorted(states - good))}")

    def check_gpus(self, starts):
        for start in starts:
            job = self.jobs.get(start.job)
            if job and not KINDS[job.kind].least <= start.gpus <= KINDS[job.kind].most:
                self.note(job.number, f"of {job.kind} had {start.gpus} GPUs")

    def check_opened(self, starts):
        """What the first node's part could open is what the database says, where that is all."""
        allocated = collections.defaultdict(set)
        for start in starts:
            if start.nodes == 1:
                allocated[start.job].add(start.gpus)
        for job in self.jobs.values():
            text = self.output_of(job.number, job.user)
            for opened in re.findall(r"^opened (\d+) nodes 1$", text, re.M):
                if self.options.cgroups and int(opened) not in allocated[job.number]:
                    self.note(job.number, f"could open {opened} GPUs of {allocated[job.number]}")

    def check_training(self):
        """Each step once, and what follows srun once."""
        for job in self.jobs.values():
            if not KINDS[job.kind].trains or job.cancelled:
                continue
            text = self.output_of(job.number, job.user)
            if text.count("after: 0") != 1 or text.count("after:") != 1:
                self.note(job.number, f"of {job.kind} did not end once and well; it wrote:\n{text}")

    def check_limits(self, starts):
        """By the second: what ends in one makes room for what begins in it."""
        events = collections.defaultdict(list)
        for start in starts:
            if start.qos == "tight" and start.begin.isdigit() and start.end.isdigit():
                events[start.user] += [(int(start.begin), 1, start.gpus),
                                       (int(start.end), 0, -start.gpus)]
        for user, changes in events.items():
            held = 0
            for second, _, gpus in sorted(changes):
                held += gpus
                if held > TIGHT:
                    self.note(0, f"{user} held {held} GPUs of {TIGHT} at {second}")
                    break

    # -- rounds -------------------------------------------------------------

    def round(self, number):
        self.jobs, self.wrong_jobs = {}, set()
        (self.work / "brake").touch()
        left, deadline = JOBS, time.monotonic() + ROUND_LIMIT
        while True:
            if left:
                batch = min(left, self.random.randint(1, 5))
                for _ in range(batch):
                    self.submit()
                left -= batch
            elif not list(self.queue()):
                break
            if self.random.random() < 0.3:
                self.disturb()
            self.look()
            if time.monotonic() > deadline:
                for job in self.queue():
                    self.note(job.number, f"is {job.state} ({job.reason}) after {ROUND_LIMIT} s")
                self.call("scancel", *(str(job) for job in self.jobs))
                break
            time.sleep(self.random.uniform(0.2, 1.5))
        self.check(number)

    def all_recorded(self):
        """slurmdbd hears of an end a moment later."""
        return all(start.end.isdigit() for start in self.starts() if start.job in self.jobs)

    def check(self, number):
        deadline = time.monotonic() + 60
        while not self.all_recorded() and time.monotonic() < deadline:
            time.sleep(0.5)
        starts = [start for start in self.starts() if start.job in self.jobs]
        self.check_ends(starts)
        self.check_gpus(starts)
        self.check_opened(starts)
        self.check_training()
        self.check_limits(starts)
        self.check_daemons()
        for job in self.jobs.keys() - self.wrong_jobs:
            self.counts[self.jobs[job].kind]["well"] += 1
        for part, times in collections.Counter(start.part for start in starts).items():
            self.counts[self.jobs[job_of(part)].kind]["restarts"] += times - 1
        self.say(f"round {number}: {len(self.jobs)} jobs, {len(starts)} starts, "
                 f"{self.wrong} wrong so far")

    def run(self):
        self.daemons = self.pids()
        self.say(f"{len(self.daemons)} daemons")
        self.make_folders(USERS)
        end, number = time.monotonic() + 60 * self.options.minutes, 0
        while number == 0 or time.monotonic() < end:
            number += 1
            self.round(number)
        return self.table()

    def table(self):
        columns = ("submitted", "well", "cancelled", "requeued", "restarts", "wrong")
        print(f"{'':14}" + "".join(f"{column:>11}" for column in columns))
        for kind in [*KINDS, "cluster"]:
            print(f"{kind:14}" + "".join(f"{self.counts[kind][column]:11}" for column in columns))
        submitted = sum(counts["submitted"] for counts in self.counts.values())
        return self.verdict(submitted, "jobs")


soak_cluster.main(Soak, "jobs of all kinds on a private cluster", flags=["cgroups"],
                  minutes=float)
