#!/usr/bin/python3
"""Keeps the checkpoint contract and trains nothing.

pretender.py STEPS GPUS BRAKE [SECONDS]: a step takes 8 seconds on one GPU, it says, or as long as
it is told; ten are done in two seconds while the file BRAKE is there.
"""
import json, os, pathlib, signal, sys, time

# Not in a shell, which cannot trap what was ignored when it started.
asked = []
signal.signal(signal.SIGUSR1, lambda *_: asked.append(1))
os.chdir(os.environ["HORA_CHECKPOINT_DIR"])
ready, kept = pathlib.Path("READY"), pathlib.Path("step")
ready.unlink(missing_ok=True)
seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 8 / int(sys.argv[2])
step = int(kept.read_text()) if kept.exists() else 0
while step < int(sys.argv[1]):
    time.sleep(0.2 if os.path.exists(sys.argv[3]) else 0.01)
    step += 1
    with open(os.environ["HORA_PROGRESS"], "a") as progress:
        print(json.dumps({"step": step, "epoch": 1, "samples": step * 64,
                          "seconds": seconds}), file=progress)
    if asked:
        kept.write_text(f"{step}\n")
        new = pathlib.Path("READY.new")
        new.write_text(f"{step} {os.environ.get('SLURM_RESTART_COUNT', '0')}\n")
        new.rename(ready)
        while ready.exists():
            time.sleep(0.02)
        asked.clear()
