#!/usr/bin/python3
"""Does a job go on when slurmctld is killed hard, seconds after horad has restarted the job?

soak_kill.py --cluster DIR --program FILE --rounds N --seed N, on a cluster that devcluster has
brought up with accounting and horad, and soak_site.bash with its users. Each round resizes a job,
waits until it runs again, kills slurmctld a moment later, as the round says after 1 to 8 seconds,
and starts it anew. Within two minutes every job runs or waits for GPUs, and none is held; nodes that
slurmctld has drained for it (Duplicate jobid) are resumed, and a job that slurmctld takes for the start
before is requeued, as an administrator would. At the end all jobs end well. It ends with a table; 0
if nothing was wrong.
"""

import subprocess
import time

import soak_cluster

USERS = ("games", "mail", "news")
OPTIONS = ("--hora-model=resnet50 --hora-batch=64 --hora-samples=64 --hora-gpus=1-4 "
           "--hora-elastic --nodes=1 --time=60").split()
STEPS = 400  # of a round, more than are done in one while they are slow
LIMIT = 180  # seconds until a job runs again
END = 600  # seconds until all jobs have ended
SAVED = 6  # seconds until slurmctld has saved what it has begun, or it would know nothing of it


class Kill(soak_cluster.Cluster):
    def __init__(self, options):
        super().__init__("kill", options)

    def submit(self, user):
        steps = STEPS * (self.options.rounds + 1)
        file = self.work / f"script.{user}"
        file.write_text(f"#!/bin/bash\nsrun --nodes=1 --ntasks=1 {self.options.program} {steps} 1 "
                        f'{self.work}/brake\necho "after: $?"\n')
        file.chmod(0o755)
        if number := self.submit_as(user, [*OPTIONS, f"--hora-epochs={steps}"], file):
            self.jobs[number] = user

    def look(self):
        """The jobs of ours by number: state, reason, starts and GPUs; empty without slurmctld."""
        text = subprocess.run(
            ["squeue", "--noheader", "--all", "--format=%A|%T|%r",
             f"--jobs={','.join(map(str, self.jobs))}"], capture_output=True, text=True).stdout
        return {int(line.split("|")[0]): line.split("|")[1:] for line in text.splitlines()}

    def field(self, job, name):
        text = subprocess.run(["scontrol", "--oneliner", "show", "job", str(job)],
                              capture_output=True, text=True).stdout
        found = [word for word in text.split() if word.startswith(f"{name}=")]
        return int(found[0].split("=")[1].split("-")[0]) if found else None

    def has_restarted(self, job, before):
        count = self.field(job, "Restarts")
        return count is not None and count > before and \
            self.look().get(job, ["", ""])[0] == "RUNNING"

    def resize(self, job):
        """Whether the job runs again, at another size."""
        before, gpus = self.field(job, "Restarts"), self.field(job, "NumTasks")
        size = str(self.random.choice([one for one in (1, 2, 3, 4) if one != gpus]))
        asked = self.wait(LIMIT, lambda: self.call("hora", "resize", "--force", str(job), size))
        return asked and self.wait(LIMIT, lambda: self.has_restarted(job, before))

    def all_run(self):
        self.counts["drained for a job that it ran"] += self.resume_nodes()
        queue = self.look()
        return len(queue) == len(self.jobs) and \
            all(state == "RUNNING" for state, _ in queue.values())

    def round(self, number):
        time.sleep(SAVED)
        job = self.random.choice(list(self.jobs))
        if not self.resize(job):
            self.note(job, "was not resized")
            return
        before = self.field(job, "Restarts")
        after = number % 8 + 1 + self.random.uniform(-0.5, 0.5)
        time.sleep(after)
        if not self.kill_controller():
            self.note(0, "slurmctld does not answer")
        if not self.wait(LIMIT, self.all_run):
            self.note(0, f"{LIMIT} s after the kill the jobs are {self.look()}")
        self.counts["kills"] += 1
        # slurmctld takes the new start for the one before, and horad hears nothing of that.
        if self.field(job, "Restarts") < before:
            self.counts["taken for the start before, and requeued"] += 1
            self.call("scontrol", "requeue", str(job))
            if not self.wait(LIMIT, lambda: self.has_restarted(job, before - 1)):
                self.note(job, f"does not run {LIMIT} s after it was requeued")
        self.say(f"round {number}: {after:.1f} s after the start of job {job}; {self.wrong} wrong "
                 "so far")

    def released(self):
        text = (self.folder / "log/horad.log").read_text(errors="replace")
        self.counts["released by horad"] = text.count(": released: ")
        self.counts["kept from starting at once"] = text.count("forgot that it ran; it starts again")

    def end(self):
        (self.work / "brake").unlink()
        if not self.wait(END, lambda: not self.look()):
            self.note(0, f"{END} s after the last round there are {self.look()}")
        last = {start.job: start for start in self.starts()}
        for job in self.jobs:
            state = last[job].state if job in last else "gone"
            text = self.output_of(job)
            if state != "COMPLETED" or text.count("after: 0") != 1:
                self.note(job, f"ended {state}; it wrote:\n{text}")

    def run(self):
        self.make_folders(USERS)
        (self.work / "brake").touch()
        for user in USERS:
            self.submit(user)
        if not self.wait(LIMIT, self.all_run):
            self.note(0, f"the jobs do not run: {self.look()}")
        for number in range(self.options.rounds):
            self.round(number)
        self.end()
        self.released()
        self.print_counts()
        return self.verdict(self.counts["kills"], "kills")


soak_cluster.main(Kill, "slurmctld killed hard on a private cluster", rounds=int)
