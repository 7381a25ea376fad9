#!/usr/bin/python3 -IS
"""Keeps the checkpoint contract, trains nothing, and proves which steps it has done.

soak_trainer.py STEPS GPUS PROOF BRAKE MARK: it makes the file MARK when it begins. A step takes 8
seconds on one GPU, it says; ten are done in a second while the file BRAKE is there. A checkpoint is
written each 50 steps, and when one is asked for. All starts of a job append to PROOF, of which one
alone holds PROOF.lock:

    TIME twice COUNT            another start of the job trains; this one waits until it has ended
    TIME start COUNT GPUS STEP  it goes on after STEP
    TIME step STEP
    TIME checkpoint STEP        it stands: a later start may not do this step again
"""
import fcntl
import os
import signal
import sys
import time

EVERY = 50  # steps
PATIENCE = 60  # seconds that it waits to be ended at a checkpoint, by the contract

STEPS, GPUS, PROOF, BRAKE = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
COUNT = os.environ.get("SLURM_RESTART_COUNT", "0")


def append(path, text):
    """In one write, which no other start's can come into."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.write(file, text.encode())
    os.close(file)


def prove(what):
    append(PROOF, f"{time.time():.3f} {what}\n")


def replace(name, text):
    with open(f"{name}.new", "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.rename(f"{name}.new", name)


def take_lock():
    lock = os.open(f"{PROOF}.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        prove(f"twice {COUNT}")
        fcntl.flock(lock, fcntl.LOCK_EX)


def keep(step):
    replace("step", f"{step}\n")
    prove(f"checkpoint {step}")


def wait_to_be_ended(step):
    replace("READY", f"{step} {COUNT}\n")
    deadline = time.monotonic() + PATIENCE
    while os.path.exists("READY") and time.monotonic() < deadline:
        time.sleep(0.02)


def kept_step():
    if not os.path.exists("step"):
        return 0
    with open("step") as file:
        return int(file.read())


def main():
    append(sys.argv[5], "")
    asked = []
    signal.signal(signal.SIGUSR1, lambda *_: asked.append(1))
    take_lock()
    os.chdir(os.environ["HORA_CHECKPOINT_DIR"])
    if os.path.exists("READY"):
        os.unlink("READY")
    step = kept_step()
    prove(f"start {COUNT} {GPUS} {step}")
    while step < STEPS:
        time.sleep(0.1 if os.path.exists(BRAKE) else 0.01)
        step += 1
        prove(f"step {step}")
        append(os.environ["HORA_PROGRESS"],
               f'{{"step": {step}, "epoch": 1, "samples": {step * 64}, "seconds": {8 / GPUS}}}\n')
        if asked:
            asked.clear()
            keep(step)
            wait_to_be_ended(step)
        elif step % EVERY == 0:
            keep(step)
    keep(step)  # from here on a request may end it, as Python gives its handlers up


main()
