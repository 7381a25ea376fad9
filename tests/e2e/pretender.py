#!/usr/bin/python3
"""Keeps the checkpoint contract and trains nothing.

pretender.py STEPS GPUS BRAKE [SECONDS]: a step takes 8 seconds on one GPU, it says, or as long as
it is given; ten are done in two seconds while the file BRAKE is there. Of a range of batches steps take
as long with each, and its gradient noise scale is 2000.
"""
import json, os, pathlib, signal, sys, time

# Not in a shell, which cannot trap what was ignored when it started.
asked = []
signal.signal(signal.SIGUSR1, lambda *_: asked.append(1))
os.chdir(os.environ["HORA_CHECKPOINT_DIR"])
ready, kept = pathlib.Path("READY"), pathlib.Path("step")
ready.unlink(missing_ok=True)
seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 8 / int(sys.argv[2])
step, work = map(float, kept.read_text().split()) if kept.exists() else (0, 0)
least, batch = (int(os.environ.get(name, 0)) for name in ("HORA_BATCH_MIN", "HORA_BATCH"))
noise = 2000
worth = batch / least * (noise + least) / (noise + batch) if least else 1
while step < int(sys.argv[1]):
    time.sleep(0.2 if os.path.exists(sys.argv[3]) else 0.01)
    step += 1
    work += worth
    report = {"step": int(step), "epoch": 1, "samples": int(work * 64), "seconds": seconds}
    if least:
        report["noise_scale"] = noise
    with open(os.environ["HORA_PROGRESS"], "a") as progress:
        print(json.dumps(report), file=progress)
    if asked:
        kept.write_text(f"{step} {work}\n")
        new = pathlib.Path("READY.new")
        new.write_text(f"{int(step)} {os.environ.get('SLURM_RESTART_COUNT', '0')}\n")
        new.rename(ready)
        while ready.exists():
            time.sleep(0.02)
        asked.clear()
