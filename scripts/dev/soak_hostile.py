#!/usr/bin/python3
"""Does an owner who means ill get ahead of others, or disturb them?

soak_hostile.py --cluster DIR --program FILE --owner FILE --port N --minutes N --seed N, on a cluster
that devcluster has brought up with accounting and horad, and soak_site.bash with its users. horad
resizes jobs of three users; one of them runs FILE (tests/e2e/hostile_owner.cpp): in most rounds it
waits until horad restarts a job of its own and acts then, in the others it acts every 2 ms. After
each round horad ends what it has begun, and then it is looked at:

  - no job has a higher priority than it was submitted with, or, of the two others, a longer limit,
    a hold or a begin time, without an entry of horad's journal; and no entry stays
  - no job of the two others was passed over: none of the owner's started while one of theirs, of
    higher priority and with a need that fits anywhere, waited, but by a resize of the history that
    was under way then
  - all jobs of the two others end well, and each step is done once
  - no daemon has ended

In the end the owner requeues all that it had, and none has a priority of Hora's.
It ends with a table; 0 if nothing was wrong.
"""

import collections
import contextlib
import dataclasses
import sqlite3
import subprocess
import time

import soak_cluster

OWNER, OTHERS = "games", ("mail", "news")
ELASTIC = {OWNER: 4, "mail": 2, "news": 2}  # jobs at a time
WAITING = 4  # jobs of one GPU that the others have in the queue
ELASTIC_OPTIONS = ("--hora-model=resnet50 --hora-batch=64 --hora-samples=64 --hora-gpus=1-16 "
                   "--hora-elastic --hora-yield --time=30").split()
# Above everything else, and short: whatever starts in their stead could have waited for them.
SHORT_OPTIONS = "--nodes=1 --gres=gpu:1 --qos=first --time=1".split()
HABITS = ("patience", "patience", "fury")  # of the owner, in turn
ATTACK = 45  # seconds of each round
MOST = 12  # jobs that the owner has at a time, with those that wait for what it did to them
AGE = 240  # seconds after which one of the owner's is ended, with the two minutes of a requeue
PAUSE = 90  # seconds that horad has to end what it has begun
SWEEP = 15  # seconds that a priority or a begin time may stand without an entry
SLACK = 5  # seconds that slurmctld takes to look at its queue


# What Slurm says of one that waits for what its owner did to it.
IDLE = {"Dependency", "BeginTime", "BadConstraints", "JobHeldUser", "JobHeldAdmin"}


@dataclasses.dataclass
class Job:
    number: int
    user: str
    is_elastic: bool
    priority: int  # at its submission
    limit: str
    submitted: float
    is_checked: bool = False  # how it ended


class Hostile(soak_cluster.Cluster):
    def __init__(self, options):
        super().__init__("hostile", options)
        self.checked = set()  # starts that were looked at
        self.since = {}  # when a job was first seen with something that nothing accounts for
        self.under_way = collections.defaultdict(list)  # when a job had an entry in the journal

    # -- jobs ---------------------------------------------------------------

    def submit(self, user, is_elastic):
        steps = self.random.randint(200, 500)
        file = self.work / f"script.{len(self.jobs)}"
        program = f"{self.options.program} {steps} 1 {self.work}/brake"
        run = f"srun --nodes=1 --ntasks=1 {program}" if is_elastic else \
            f"sleep {self.random.randint(2, 8)}"
        file.write_text(f'#!/bin/bash\n{run}\necho "after: $?"\n')
        file.chmod(0o755)
        self.entries()  # it takes a moment, in which one may come and go
        options = [*ELASTIC_OPTIONS, f"--hora-epochs={steps}"] if is_elastic else SHORT_OPTIONS
        number = self.submit_as(user, options, file)
        # A minute passes before a short one is forgotten, and no elastic one has ended yet.
        for queued in self.queue() if number else ():
            if queued.number == number:
                self.jobs[number] = Job(number, user, is_elastic, queued.priority, queued.limit,
                                        time.time())
        self.counts["elastic jobs" if is_elastic else "short jobs"] += 1

    def submit_held(self):
        """One of the owner's that others of its own can be made to wait for."""
        if not any(job.user == OWNER and job.is_held for job in self.queue()):
            file = self.work / "script.held"
            file.write_text("#!/bin/bash\n")
            self.submit_as(OWNER, ["--hold", "--nodes=1", "--time=1"], file)

    def renew(self):
        """horad rests a job whose resize has failed; new ones it resizes.

        What waits is left for long enough to begin after a requeue.
        """
        old = time.time() - AGE
        ends = [job.number for job in self.there(self.queue(), (OWNER,), True)
                if job.state == "RUNNING" or self.jobs[job.number].submitted < old]
        if ends:
            self.act_as_owner("scancel", *map(str, ends))

    def there(self, queue, users, is_elastic):
        return [job for job in queue if job.user in users and job.number in self.jobs
                and self.jobs[job.number].is_elastic == is_elastic]

    def fill(self):
        """As many jobs as there are to be at a time."""
        queue = list(self.queue())
        for user, count in ELASTIC.items():
            held = self.there(queue, (user,), True)
            active = [job for job in held if user in OTHERS or job.reason not in IDLE]
            for _ in range(min(count - len(active), MOST - len(held))):
                self.submit(user, True)
        if len(self.there(queue, OTHERS, False)) < WAITING:
            self.submit(self.random.choice(OTHERS), False)

    def act_as_owner(self, *command):
        return self.call("setpriv", f"--reuid={OWNER}", f"--regid={OWNER}", "--clear-groups",
                         *command)

    # -- at any moment ------------------------------------------------------

    def entries(self):
        """The jobs that the journal accounts for; there is none before the first resize."""
        path = self.folder / "state/hora/journal.db"
        if not path.exists():
            return set()
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
            jobs = {job for job, in base.execute(
                "SELECT json_extract(entry, '$.job') FROM entries WHERE list = 'resizes'")}
        for job in jobs:
            self.under_way[job].append(time.time())
        return jobs

    def unaccounted(self, job):
        """What a job has that is not its own, as words."""
        own = self.jobs[job.number]
        if job.priority > own.priority:
            yield f"has priority {job.priority}, was submitted with {own.priority}"
        if job.user not in OTHERS:  # may have given itself another limit or begin
            return
        if minutes(job.limit) > minutes(own.limit):
            yield f"has the limit {job.limit}, was submitted with {own.limit}"
        if job.reason == "BeginTime":
            yield "waits for a begin time"

    def look(self):
        before, queue, after = self.entries(), list(self.queue()), self.entries()
        now, wrong = time.monotonic(), set()
        for job in queue:
            if job.number not in self.jobs or job.number in before | after:
                continue
            for what in self.unaccounted(job):
                # One that runs has it again at its next start, and the one after that.
                wrong.add((job.number, what))
                if now - self.since.setdefault((job.number, what), now) > SWEEP:
                    self.note(job.number, f"of {job.user}, {job.state}, {what}, and no entry "
                              "accounts for it")
                    self.since[job.number, what] = now + 3600
            if job.user in OTHERS and job.is_held:
                self.note(job.number, f"of {job.user} is held: {job.reason}")
                self.call("scancel", str(job.number))
        self.since = {one: at for one, at in self.since.items() if one in wrong}

    def look_for(self, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.look()
            time.sleep(1)

    # -- each round ---------------------------------------------------------

    def attack(self, number):
        habit = HABITS[number % len(HABITS)]
        command = [self.options.owner, habit, str(self.options.seed + number), str(ATTACK),
                   str(self.options.port), f"{self.folder}/run/munge.socket"]
        return subprocess.Popen(
            ["setpriv", f"--reuid={OWNER}", f"--regid={OWNER}", "--clear-groups", *command],
            stdout=subprocess.PIPE, text=True)

    def count_attacks(self, text):
        for line in text.splitlines():
            taken, refused, name = line.split(None, 2)
            self.counts[name] += int(taken)
            self.counts[f"{name}: refused"] += int(refused)

    def settle(self):
        """Until horad has ended what it had begun; then a moment for the sweep."""
        deadline, standing = time.monotonic() + PAUSE, self.entries()
        while standing and time.monotonic() < deadline:
            self.look_for(1)
            standing &= self.entries()
        for job in standing:
            self.note(job, f"has an entry in the journal {PAUSE} s after the last attack")
        self.look_for(SWEEP + 2)

    def resized(self):
        """Which job the history has a resize of, and when it was begun."""
        with sqlite3.connect(f"file:{self.folder}/state/hora/history.db?mode=ro", uri=True) as base:
            return list(base.execute("SELECT job, asked FROM rescales"))

    def is_resize(self, job, begin, resized):
        """A resize that is over accounts for no later start."""
        return any(number == job and asked < begin + SLACK for number, asked in resized) and \
            any(abs(at - begin) < SLACK for at in self.under_way[job])

    def waits(self, starts):
        """Of the others' short jobs: from when, until when."""
        begins = {start.job: int(start.begin) for start in starts if start.begin.isdigit()}
        waiting = {job.number for job in self.queue() if job.state == "PENDING"}
        for number, job in self.jobs.items():
            if job.user in OTHERS and not job.is_elastic and number in begins.keys() | waiting:
                yield job.submitted + SLACK, begins.get(number, time.time()) - SLACK, number

    def check_order(self, starts):
        """None starts in the stead of one of higher priority that would fit anywhere."""
        resized, waits = self.resized(), list(self.waits(starts))
        for start in starts:
            job, key = self.jobs.get(start.job), (start.job, start.begin)
            if not job or job.user != OWNER or not start.begin.isdigit() or key in self.checked:
                continue
            self.checked.add(key)
            begin = int(start.begin)
            if self.is_resize(start.job, begin, resized):
                continue
            for first, last, other in waits:
                if first < begin < last:
                    self.note(start.job, f"started at {begin} with {start.gpus} GPUs, and job "
                              f"{other} waited from {first:.0f} to {last:.0f}")
                    break

    def check_others(self, starts, alive):
        last = {start.job: start for start in starts}
        for number, job in self.jobs.items():
            start = last.get(number)
            if job.user not in OTHERS or job.is_checked or number in alive or not start or \
                    not start.end.isdigit():
                continue
            text = self.output_of(number, job.user)
            if start.state != "COMPLETED":
                self.note(number, f"of {job.user} ended {start.state}")
            elif text.count("after: 0") != 1 or text.count("after:") != 1:
                self.note(number, f"of {job.user} did not end once and well; it wrote:\n{text}")
            job.is_checked = True

    def round(self, number):
        self.renew()
        self.fill()
        self.submit_held()
        attack = self.attack(number)
        while attack.poll() is None:
            self.fill()
            self.look()
            time.sleep(self.random.uniform(0.2, 1))
        self.count_attacks(attack.stdout.read())
        self.settle()
        self.check()
        self.say(f"round {number + 1}: {len(self.checked)} starts of the owner's, "
                 f"{len(self.resized())} resizes, {self.wrong} wrong so far")

    def check(self):
        # One of the queue may be between two starts.
        alive = {job.number for job in self.queue()}
        starts = list(self.starts())
        self.check_order(starts)
        self.check_others(starts, alive)
        self.check_daemons()

    def end(self):
        """What the owner has cancelled comes back, and has nothing of Hora's."""
        self.act_as_owner("scancel", f"--user={OWNER}")
        deadline = time.monotonic() + PAUSE
        while any(job.user == OWNER for job in self.queue()) and time.monotonic() < deadline:
            self.look_for(1)
        for job in self.jobs.values():
            if job.user == OWNER:
                self.counts["requeued in the end"] += self.act_as_owner("scontrol", "requeue",
                                                                        str(job.number))
        self.look_for(SWEEP + 5)
        self.check()

    def run(self):
        self.daemons = self.pids()
        self.make_folders((OWNER, *OTHERS))
        (self.work / "brake").touch()
        end, number = time.monotonic() + 60 * self.options.minutes, 0
        while number == 0 or time.monotonic() < end:
            self.round(number)
            number += 1
        self.end()
        self.print_counts()
        return self.verdict(len(self.resized()), "resizes")


def minutes(limit):
    """Of "30:00", "1:00:00" and "1-00:00:00"."""
    days, _, rest = limit.rpartition("-")
    parts = [int(part) for part in rest.split(":")]
    return (int(days or 0) * 1440 + sum(part * 60 ** place
                                        for place, part in enumerate(reversed(parts))) / 60)


soak_cluster.main(Hostile, "a hostile owner on a private cluster", owner=str, port=int,
                  minutes=float)
