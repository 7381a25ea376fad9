#!/usr/bin/python3
"""Is each step of a job's training done once, whatever is killed while jobs are resized?

soak_rescales.py --cluster DIR --program FILE --rescales N --seed N, on a cluster that devcluster has
brought up with accounting and horad, and soak_site.bash with its users. Jobs of three users are
resized without a pause to sizes at random, with `hora resize` beside horad's own policy, until N
starts had another size than the one before; at random times one of horad, slurmctld, a slurmd and a
slurmstepd is killed, and the daemons are started again. Then it is looked at:

  - every job ends well, once all its steps are done; none is held, lost, or stands still
  - no two starts of a job train at a time, and none begins beside another
  - each step is done, and none twice, but those after the newest checkpoint of a start that ended
    by a kill: of its slurmstepd, or of a slurmctld that forgot the start and ended it

What is Slurm's own, with Hora and without, is counted, and done as a site does it:

  - A slurmstepd that is killed leaves its processes, which go on; srun does not hear of their end,
    and slurmctld says RUNNING until the time limit. An administrator requeues a job that stands
    still after such a kill.
  - slurmctld that was just started, or a slurmd that was, does not start a step ("Invalid generic
    resource", "Connection reset"). A job's script requeues the job where its program has not begun.
  - srun that has asked for its step when slurmctld is killed waits for an answer. An administrator
    requeues such a job.
  - slurmctld begins jobs before its nodes have reported what they run, and ends what it forgot some
    seconds later: within half a minute of its kill a start may find another one, and waits for it.
  - slurmctld that was killed within seconds of a job's end runs the job again, which ends at once,
    or takes it for running until a node registers next. An administrator requeues such a job.
  - slurmctld that is killed within seconds of a requeue may forget that. An administrator whose
    requeue it was requeues the job once more.
  - slurmctld holds a job that a slurmd has refused to start though slurmctld was not restarted; an
    administrator releases it where that slurmd was killed. It holds a job whose first start, which
    was not horad's, it forgot; that hold is not horad's to take off.
  - A node that is drained for a job that slurmctld forgot (Duplicate jobid) is resumed.

It ends with a table; 0 if nothing was wrong.
"""

import dataclasses
import os
import pathlib
import re
import subprocess
import time

import soak_cluster
import soak_proof

USERS = ("games", "mail", "news")
JOBS = 28  # at a time, of 1 to 4 GPUs on a node of 4, on twenty nodes
OPTIONS = ("--hora-model=resnet50 --hora-batch=64 --hora-samples=64 --hora-gpus=1-4 "
           "--hora-elastic --nodes=1 --time=60").split()
STEPS = (300, 1500)  # of a job
KILLS = {"horad": 3, "slurmctld": 2, "slurmd": 3, "slurmstepd": 2}  # how often, of each other
PAUSE = 15  # seconds between two kills, on average
AFTER = 1.5  # seconds that a start trains before it is to be resized
RETRY = 1  # seconds after which a refused resize is tried again
STILL = 90  # seconds without a step after which an administrator looks at a running job
LOST = 400  # seconds that a job may wait, with the two minutes of a requeue by Slurm itself
HELD = 60  # seconds that a hold by slurmctld may stand, until horad has taken it off
FORGOTTEN = 10  # seconds that a start is old at most which a killed slurmctld may have forgotten
LAUNCH = 60  # seconds after which a slurmd that was killed refuses no launch
END = 600  # seconds until all jobs have ended
SETTLED = 20  # seconds in which horad brings back what a killed slurmctld takes for ended
# What a job does: it trains, and goes back to the queue where its program was not started.
SCRIPT = """#!/bin/bash
mark={proof}.$SLURMD_NODENAME.$$
srun --nodes=1 --ntasks=1 {program} {steps} "$SLURM_NTASKS" {proof} {brake} "$mark"
code=$?
# The script of a start whose slurmstepd was killed lives on, and may live to see the next start.
has_begun_anew() {{
    [ "$(squeue --noheader --job "$SLURM_JOB_ID" --Format RestartCnt:8)" -gt \
        "${{SLURM_RESTART_COUNT:-0}}" ] 2>/dev/null
}}
if [ ! -e "$mark" ]; then
    echo "not begun: $code"
    until scontrol requeue "$SLURM_JOB_ID"; do # slurmctld may have been killed
        sleep 1
        if has_begun_anew; then exit; fi
    done
    sleep 600
fi
echo "after: $code"
exit $code
"""


@dataclasses.dataclass
class Job:
    number: int
    user: str
    steps: int
    proof: soak_proof.Proof
    state: str = ""
    tasks: int = 0
    reason: str = ""
    since: float = 0.0  # of this state
    resize: subprocess.Popen = None
    next_resize: float = 0.0
    kills: list = dataclasses.field(default_factory=list)  # of its slurmstepds: when
    requeued: float = 0.0  # by the administrator, at last


class Rescales(soak_cluster.Cluster):
    def __init__(self, options):
        super().__init__("rescales", options)  # in `jobs` are those that have not ended
        self.ended = {}
        self.kills = []  # when, what
        self.rescales = 0

    def note(self, number, text):
        """With what there is of the job now, beside the daemons' logs."""
        super().note(number, text)
        if not number:
            return
        job = subprocess.run(["scontrol", "--details", "show", "job", str(number)],
                             capture_output=True, text=True)
        processes = subprocess.run(["ps", "axwwo", "pid,ppid,lstart,stat,args"],
                                   capture_output=True, text=True)
        with open(self.folder / f"log/wrong.{number}", "a") as file:
            file.write(f"{time.time():.3f} {text}\n{job.stdout}{processes.stdout}")

    # -- jobs ---------------------------------------------------------------

    def submit(self):
        user, steps = self.random.choice(USERS), self.random.randint(*STEPS)
        number = self.counts["submissions"] = self.counts["submissions"] + 1
        proof = self.work / user / f"proof.{number}"
        file = self.work / f"script.{number}"
        file.write_text(SCRIPT.format(program=self.options.program, steps=steps, proof=proof,
                                      brake=self.work / "brake"))
        file.chmod(0o755)
        if job := self.submit_as(user, [*OPTIONS, f"--hora-epochs={steps}"], file):
            # A slurmctld that was killed within the second gives the number of a job away again.
            self.ended.pop(job, None)
            self.jobs[job] = Job(job, user, steps, soak_proof.Proof(proof), since=time.time())
            self.counts["jobs"] += 1

    def look(self):
        """What slurmctld says of each job, and what its program has written since."""
        answer = subprocess.run(
            ["squeue", "--noheader", "--all",
             "--Format=JobID:12,State:14,NumTasks:8,RestartCnt:8,Reason:60"],
            capture_output=True, text=True)
        if answer.returncode:
            return
        now, there = time.time(), set()
        for line in answer.stdout.splitlines():
            number, state, tasks, _, reason = line.split(None, 4)
            if int(number) in self.ended:  # horad has brought it back
                self.jobs[int(number)] = self.ended.pop(int(number))
            if job := self.jobs.get(int(number)):
                there.add(job.number)
                if (job.state, job.reason) != (state, reason.strip()):
                    job.state, job.reason, job.since = state, reason.strip(), now
                job.tasks = int(tasks)
        for job in list(self.jobs.values()):
            self.read(job)
            if job.number not in there:
                self.ended[job.number] = self.jobs.pop(job.number)

    def read(self, job):
        before = job.proof.rescales()
        for start in job.proof.read():
            self.counts["starts"] += 1
            if start.again:
                self.account_for(job, start)
        self.rescales += job.proof.rescales() - before
        for what in job.proof.wrong:
            self.note(job.number, what)
        job.proof.wrong.clear()
        for at, other in job.proof.waits:
            if not any(what == "slurmctld" and killed < at and other - 1 < killed < other + FORGOTTEN
                       for killed, what in self.kills):
                self.note(job.number, f"began at {at} while the start of {other} trained")
            self.counts["starts beside one that slurmctld forgot, which waited"] += 1
        job.proof.waits.clear()

    def account_for(self, job, start):
        """Which kill left the start before no time for a checkpoint?"""
        before = job.proof.starts[job.proof.starts.index(start) - 1].at
        accounts = ["slurmstepd" for at in job.kills if before < at < start.at]
        accounts += [what for at, what in self.kills if what == "slurmctld" and
                     before - 1 < at < start.at]
        if not accounts:
            self.note(job.number, f"did {start.again} steps again from step {start.since} on, in "
                      f"start {start.count} at {start.at}, and nothing was killed")
            return
        self.counts[f"steps done again, for {accounts[0]} was killed"] += start.again

    def resize(self):
        now = time.time()
        for job in self.jobs.values():
            if job.resize:
                if job.resize.poll() is None:
                    continue
                self.counts["resizes asked for"] += not job.resize.returncode
                job.next_resize = now + RETRY
                job.resize = None
            starts = job.proof.starts
            if job.state == "RUNNING" and starts and job.proof.at - starts[-1].at > AFTER and \
                    now > job.next_resize:
                size = self.random.choice([one for one in (1, 2, 3, 4) if one != job.tasks])
                job.resize = subprocess.Popen(
                    ["hora", "resize", "--force", str(job.number), str(size)],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    # -- kills --------------------------------------------------------------

    def kill_one(self):
        what = self.random.choices(list(KILLS), list(KILLS.values()))[0]
        if getattr(self, f"kill_{what}")():
            self.counts[f"kills of {what}"] += 1
            self.kills.append((time.time(), what))

    def kill_horad(self):
        (name,) = [name for name in self.pids() if name.startswith("horad")]
        for number in self.pids()[name]:
            self.kill(int(number))
        self.start_daemon("--fork", "sh", "-c", 'exec "$0/bin/horad" >>"$0/log/horad.log" 2>&1',
                          str(self.folder))
        return True

    def kill_slurmctld(self):
        if not self.kill_controller():
            self.note(0, "slurmctld does not answer")
        return True

    def kill_slurmd(self):
        node = self.random.choice((self.folder / "etc/nodes").read_text().split())
        file = self.folder / f"run/slurmd-{node}.pid"
        number = int(file.read_text())
        cgroup = re.search(r":freezer:/(devcluster[^/\n]*)",
                           pathlib.Path(f"/proc/{number}/cgroup").read_text())
        self.kill(number)
        view = pathlib.Path(__file__).with_name("node-view")
        self.start_daemon(view, self.folder / "etc/hosts", cgroup[1] if cgroup else "",
                          "slurmd", "-f", os.environ["SLURM_CONF"], "-N", node)
        return True

    def stepds(self):
        """Of our jobs: the process, and what it is of."""
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                title = (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            found = re.match(r"slurmstepd: \[(\d+)\.(\w+)\]", title)
            if found and int(found[1]) in self.jobs:
                yield int(entry.name), self.jobs[int(found[1])], found[2]

    def kill_slurmstepd(self):
        stepds = sorted(self.stepds(), key=lambda one: (one[1].number, one[2]))
        if not stepds:
            return False
        number, job, step = self.random.choice(stepds)
        try:
            self.kill(number)
        except ProcessLookupError:
            return False
        job.kills.append(time.time())
        self.counts[f"kills of slurmstepd, of step {step if step == 'batch' else 'N'}"] += 1
        self.say(f"slurmstepd of {job.number}.{step} was killed")
        return True

    # -- what an administrator does ------------------------------------------

    def administer(self):
        self.counts["nodes drained for a job that they ran"] += self.resume_nodes()
        now = time.time()
        for job in list(self.jobs.values()):
            waits = now - job.since
            if "held" in job.reason.lower() and waits > HELD:
                if why := self.why_held(job):
                    self.counts[f"released by the administrator, for {why}"] += 1
                else:
                    self.note(job.number, f"is held: {job.reason}")
                self.call("scontrol", "release", str(job.number))
                job.since = now
            elif job.state == "RUNNING" and \
                    now - max(job.proof.at, job.since, *self.controllers()) > STILL:
                self.help(job, now)
            elif job.state != "RUNNING" and waits > LOST:
                self.note(job.number, f"is {job.state} ({job.reason}) for {waits:.0f} s")
                self.call("scontrol", "requeue", str(job.number))
                job.since = now

    def why_held(self, job):
        """What of Slurm's own did it; empty: horad should have taken the hold off."""
        killed = {what for at, what in self.kills if at < job.since < at + LAUNCH}
        if "slurmd" in killed:
            return "a slurmd was killed"
        is_first = len(job.proof.starts) <= 1
        return "slurmctld forgot its first start" if "slurmctld" in killed and is_first else ""

    def controllers(self):
        """When slurmctld was killed: horad looks anew then."""
        return [at for at, what in self.kills if what == "slurmctld"]

    def help(self, job, now):
        begun = job.proof.starts[-1].at if job.proof.starts else 0
        was_controller = any(what == "slurmctld" and begun < at for at, what in self.kills)
        if was_controller and job.proof.step == job.steps:
            self.counts["requeued by the administrator, for slurmctld forgot its end"] += 1
        elif any(at > begun for at in job.kills):
            self.counts["requeued by the administrator, for its slurmstepd was killed"] += 1
        elif [step for _, one, step in self.stepds() if one is job] == ["batch"] and \
                was_controller:
            self.counts["requeued by the administrator, for srun asked a killed slurmctld"] += 1
        elif job.requeued > begun and any(
                what == "slurmctld" and job.requeued < at < job.requeued + FORGOTTEN
                for at, what in self.kills):
            self.counts["requeued by the administrator, for slurmctld forgot that it was"] += 1
        else:
            self.note(job.number, f"stands still at step {job.proof.step}")
        self.call("scontrol", "requeue", str(job.number))
        job.since = job.requeued = now

    # -- the end ------------------------------------------------------------

    def end(self):
        (self.work / "brake").unlink()
        deadline = settled = time.time() + END
        while time.time() < min(deadline, settled):
            self.look()
            self.administer()
            settled = min(settled, time.time() + SETTLED) if not self.jobs else deadline
            time.sleep(0.5)
        for job in self.jobs.values():
            self.note(job.number, f"is {job.state} ({job.reason}) {END} s after the last resize")
        self.wait(60, lambda: all(start.end.isdigit() for start in self.starts()))
        last = {start.job: start.state for start in self.starts()}
        for job in self.ended.values():
            self.check_end(job, last.get(job.number, "gone"))

    def check_end(self, job, state):
        self.read(job)
        text = self.output_of(job.number, job.user)
        self.counts["starts that Slurm did not start a step of"] += text.count("not begun: ")
        self.counts["ends that Slurm forgot"] += max(text.count("after: 0") - 1, 0)
        if state == "RUNNING" and "after: 0" in text and job.number not in self.jobs:
            # slurmctld knew it to be over, and was killed before slurmdbd had that.
            self.counts["ends that the accounting does not have"] += 1
            state = "COMPLETED"
        if state != "COMPLETED" or job.proof.step != job.steps or "after: 0" not in text:
            self.note(job.number, f"of {job.steps} steps ended {state} at step {job.proof.step}; "
                      f"it wrote:\n{text}")

    def run(self):
        self.make_folders(USERS)
        (self.work / "brake").touch()
        began = said = progress = time.time()
        next_kill, most = began + PAUSE, 0
        while self.rescales < self.options.rescales:
            while len(self.jobs) < JOBS:
                self.submit()
            self.look()
            self.resize()
            self.administer()
            now = time.time()
            if now > next_kill:
                self.kill_one()
                next_kill = time.time() + self.random.expovariate(1 / PAUSE)
            if now - said > 60:
                self.say(f"{self.rescales} rescales in {(now - began) / 60:.0f} minutes, "
                         f"{self.wrong} wrong so far")
                said = now
            if self.rescales > most:
                most, progress = self.rescales, now
            if now - progress > LOST:
                self.note(0, f"nothing was resized for {LOST} s")
                break
            time.sleep(0.3)
        minutes = (time.time() - began) / 60
        self.end()
        self.print_counts()
        print(f"{self.rescales / minutes:8.1f}  rescales a minute")
        return self.verdict(self.rescales, "rescales")


soak_cluster.main(Rescales, "resizes and kills on a private cluster", rescales=int)
