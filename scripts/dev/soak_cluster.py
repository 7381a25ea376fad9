"""What the soaks share: what they ask of a private cluster, its queue, its database, its daemons,
and how they begin and end.

One that devcluster has brought up with accounting and horad, and whose environment is ours.
"""

import argparse
import collections
import dataclasses
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

DRAINED = 5  # seconds after which an administrator resumes a node that slurmctld has drained


def job_of(part):
    """12 of 12, 12_0 and 12+1."""
    return int(re.match(r"\d+", part)[0])


@dataclasses.dataclass
class Start:
    """One start of one part of a job, as the database has it."""
    part: str
    user: str
    qos: str
    state: str
    gpus: int
    nodes: int
    begin: str
    end: str

    @property
    def job(self):
        return job_of(self.part)


@dataclasses.dataclass
class Queued:
    """A job that has not ended, as squeue shows it."""
    number: int
    state: str
    priority: int
    user: str
    limit: str  # as minutes:seconds
    reason: str

    @property
    def is_held(self):
        return "held" in self.reason.lower() or not self.priority


class Cluster:
    def __init__(self, name, options):
        self.name = name
        self.options = options
        self.folder = pathlib.Path(options.cluster)
        self.work = self.folder / "work"
        self.random = random.Random(options.seed)
        self.jobs = {}
        self.counts = collections.Counter()
        self.wrong = 0

    def make_folders(self, users):
        for user in users:
            (self.work / user).mkdir()
            shutil.chown(self.work / user, user)

    def print_counts(self):
        for name, count in sorted(self.counts.items()):
            print(f"{count:8}  {name}")

    def verdict(self, count, what):
        """The exit status; a soak that did nothing shows nothing."""
        print(f"{count} {what}, seed {self.options.seed}: {self.wrong} wrong")
        return 1 if self.wrong or not count else 0

    def say(self, text):
        print(f"soak {self.name}: {text}", flush=True)

    def note(self, job, text):
        """Job 0 is no job's doing."""
        self.wrong += 1
        self.say(f"WRONG: job {job} {text}" if job else f"WRONG: {text}")

    def submit_as(self, user, options, script):
        """The job's number; 0 and a note where sbatch refuses it."""
        home = self.work / user
        answer = subprocess.run(
            ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "sbatch",
             "--parsable", "--requeue", "--open-mode=append", "--mem=10",
             f"--output={home}/%A.%a.out", *options, script],
            capture_output=True, text=True, cwd=home,
            env={**os.environ, "HOME": str(home), "USER": user})
        found = re.search(r"^(\d+)", answer.stdout, re.M)
        if answer.returncode or not found:
            self.note(0, f"{options} of {user} was not submitted: {answer.stderr.strip()}")
            return 0
        return int(found[1])

    def output_of(self, number, user="*"):
        """slurmctld, killed, gives a number away again, also to another user's job."""
        return "".join(file.read_text(errors="replace")
                       for file in sorted(self.work.glob(f"{user}/{number}.*.out")))

    @staticmethod
    def call(*command):
        return subprocess.run(command, capture_output=True).returncode == 0

    @staticmethod
    def wait(seconds, is_true):
        deadline = time.monotonic() + seconds
        while not (answer := is_true()) and time.monotonic() < deadline:
            time.sleep(0.1)
        return answer

    @staticmethod
    def queue():
        """The jobs that have not ended."""
        text = subprocess.run(["squeue", "--noheader", "--all", "--format=%A %T %Q %u %l %r"],
                              check=True, capture_output=True, text=True).stdout
        for line in text.splitlines():
            number, state, priority, user, limit, reason = line.split(None, 5)
            yield Queued(int(number), state, int(priority), user, limit, reason)

    def starts(self):
        fields = "JobID,User,QOS,State,AllocTRES,NNodes,Start,End"
        text = subprocess.run(
            ["sacct", "--allusers", "--duplicates", "--allocations", "--parsable2", "--noheader",
             "--starttime=now-1days", f"--format={fields}"], check=True, capture_output=True,
            text=True, env={**os.environ, "SLURM_TIME_FORMAT": "%s"}).stdout
        for line in text.splitlines():
            part, user, qos, state, tres, nodes, begin, end = line.split("|")
            gpus = re.search(r"gres/gpu=(\d+)", tres)
            if tres:
                yield Start(part, user, qos, state.split()[0], int(gpus[1]) if gpus else 0,
                            int(nodes), begin, end)

    def pids(self):
        """Of each daemon, by its command line; one that is about to start a job's part is two."""
        found = collections.defaultdict(set)
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                mark = f"DEVCLUSTER={self.folder}\0".encode() in (entry / "environ").read_bytes()
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
            except OSError:
                continue
            name = pathlib.Path(line.split(" ")[0]).name if line else ""
            if mark and name in ("slurmctld", "slurmd", "horad"):
                found[f"{name} {line.split()[-1]}"].add(entry.name)
        return found

    def kill(self, number):
        """As the kernel does that is out of memory."""
        os.kill(number, signal.SIGKILL)
        self.wait(10, lambda: not os.path.exists(f"/proc/{number}"))

    def start_daemon(self, *command):
        """One that goes to the background by itself; it ends with the cluster, by its mark."""
        with open(self.folder / "log/start.log", "a") as log:
            subprocess.run(["setsid", *command], check=True, stdin=subprocess.DEVNULL, stdout=log,
                           stderr=log, env={**os.environ, "DEVCLUSTER": str(self.folder)})

    def kill_controller(self):
        """Whether it answers again."""
        self.kill(int((self.folder / "run/slurmctld.pid").read_text()))
        self.start_daemon("slurmctld", "-f", os.environ["SLURM_CONF"])
        return self.wait(60, lambda: self.call("squeue", "--noheader"))

    def resume_nodes(self):
        """How many; as an administrator does where prologs and health checks are trusted. Not
        within a moment: horad knows by the drain that a node refused a job."""
        text = subprocess.run(["sinfo", "--noheader", "--Node", "--list-reasons",
                               "--format=%N|%H|%E"], capture_output=True, text=True,
                              env={**os.environ, "SLURM_TIME_FORMAT": "%s"}).stdout
        drained = sorted({tuple(line.split("|", 2)) for line in text.splitlines()})
        due = [(node, reason) for node, since, reason in drained
               if time.time() - int(since) > DRAINED]
        for node, reason in due:
            if reason != "Duplicate jobid":
                self.note(0, f"{node} is drained: {reason}")
            self.call("scontrol", "update", f"NodeName={node}", "State=RESUME")
        return len(due)

    def check_daemons(self):
        now = self.pids()
        for name, pids in self.daemons.items():
            if not pids & now[name]:
                self.note(0, f"{name} is gone, or was restarted")


def main(soak, description, flags=(), **options):
    """Beside what all soaks take: options by name and type, which are required, and flags."""
    parser = argparse.ArgumentParser(description=description)
    for name, kind in {"cluster": str, "program": str, "seed": int, **options}.items():
        parser.add_argument(f"--{name}", type=kind, required=True)
    for name in flags:
        parser.add_argument(f"--{name}", action="store_true")
    sys.exit(soak(parser.parse_args()).run())
