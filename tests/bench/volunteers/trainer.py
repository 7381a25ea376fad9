#!/usr/bin/python3 -IS
"""Keeps the checkpoint contract, and sleeps for as long as a step takes on the GPUs that it has.

trainer.py STEPS RECORD: all starts of a job append to RECORD, "TIME start GPUS STEP" where they go
on after STEP, and "TIME step STEP" for each one.
"""
import json
import os
import signal
import sys
import time

ONE_GPU = 0.2  # seconds of a step
START = 1.0  # seconds until a start begins its first step
PATIENCE = 60  # seconds that it waits to be ended at a checkpoint, by the contract
STEPS_OF_EPOCH, BATCH = 10, 8

STEPS, RECORD = int(sys.argv[1]), sys.argv[2]
PROGRESS = os.environ.get("HORA_PROGRESS", os.devnull)
FOLDER = os.environ.get("HORA_CHECKPOINT_DIR", f"{RECORD}.checkpoint")
GPUS = len(os.environ["SLURM_JOB_GPUS"].split(","))


def step_time(gpus):
    """P5's, by the means of its coefficients: 1.64 times as fast on two GPUs, 2.41 on four."""
    return ONE_GPU * (0.98 / gpus + 0.2 * (gpus - 1) / gpus + 0.02)


def append(path, text):
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.write(file, text.encode())
    os.close(file)


def record(what):
    append(RECORD, f"{time.time():.3f} {what}\n")


def replace(name, text):
    with open(f"{name}.new", "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.rename(f"{name}.new", name)


def kept_step():
    if not os.path.exists("step"):
        return 0
    with open("step", encoding="ascii") as file:
        return int(file.read())


def wait_to_be_ended(step):
    replace("READY", f"{step} {os.environ.get('SLURM_RESTART_COUNT', '0')}\n")
    deadline = time.monotonic() + PATIENCE
    while os.path.exists("READY") and time.monotonic() < deadline:
        time.sleep(0.02)


def train(asked):
    step = kept_step()
    record(f"start {GPUS} {step}")
    time.sleep(START)
    began = time.monotonic()
    while step < STEPS:
        # By a clock that goes on, so that steps are not longer by what comes between them; but
        # what a start has missed by a second, waiting for its end say, is not made up for.
        due = began + step_time(GPUS)
        time.sleep(max(0, due - time.monotonic()))
        now = time.monotonic()
        began = due if now - due < 1 else now
        step += 1
        record(f"step {step}")
        append(PROGRESS, json.dumps({"step": step, "epoch": 1 + (step - 1) // STEPS_OF_EPOCH,
                                     "samples": step * BATCH, "seconds": step_time(GPUS)}) + "\n")
        if asked:
            asked.clear()
            replace("step", f"{step}\n")
            wait_to_be_ended(step)
    replace("step", f"{step}\n")


def main():
    asked = []
    signal.signal(signal.SIGUSR1, lambda *_: asked.append(1))
    os.makedirs(FOLDER, exist_ok=True)
    os.chdir(FOLDER)
    if os.path.exists("READY"):
        os.unlink("READY")
    train(asked)
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)


main()
