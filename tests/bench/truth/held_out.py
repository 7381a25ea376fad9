"""How far off are predicted steps and memory on a GPU that no efficiency was fitted to?

    held_out.py HORA MEASURED.CSV

Prints what `hora plan` says of each of the measured runs, and its errors by number format. What
driver and framework take is left out of memory, as it is in MEASURED.CSV. What the loss keeps
(cost/memory.hpp) was looked at on the GPT-2 among these runs: memory is shown without them as well.
"""
import csv
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile


def predicted(hora, row):
    with tempfile.TemporaryDirectory() as folder:
        cluster, settings = pathlib.Path(folder, "cluster.toml"), pathlib.Path(folder, "hora.toml")
        cluster.write_text(
            f'version = 1\n[[node]]\nname = "n1"\ngpu = "{row["gpu"]}"\ncount = 1\n')
        settings.write_text('[cost]\nmemory_reserve = "0 B"\n')
        plan = json.loads(subprocess.run(
            [hora, "plan", "--model", row["network"], "--batch", row["batch"], "--gpus", "1",
             "--dtype", row["type"], "--cluster", cluster, "--json"],
            check=True, capture_output=True, text=True,
            env=os.environ | {"HORA_CONF": str(settings)}).stdout)
    step = float(row["step_s"])
    return {"step": plan["step_seconds"] / step,
            "is_expected": plan["step_seconds_low"] <= step <= plan["step_seconds_high"],
            "memory": plan["devices"][0]["memory_bytes"] / float(row["memory_bytes"])}


def off(found, key):
    return statistics.median(abs(one[key] - 1) for one in found)


def within(found, key, factor):
    return statistics.mean(abs(math.log(one[key])) < math.log(factor) for one in found)


def steps(found):
    expected = statistics.mean(one["is_expected"] for one in found)
    return (f"steps: off by {off(found, 'step'):5.1%} in the median  "
            f"{within(found, 'step', 1.6):4.0%} within 1.6  {expected:4.0%} where expected (of 80 %)")


def memory(found):
    return f"memory: off by {off(found, 'memory'):5.1%}  {within(found, 'memory', 1.3):4.0%} within 1.3"


def main():
    hora, measured = sys.argv[1:]
    with open(measured, newline="") as file:
        rows = list(csv.DictReader(file))
    found = {}
    held_out = []  # of memory
    for row in rows:
        one = predicted(hora, row)
        found.setdefault(row["type"], []).append(one)
        if not row["network"].startswith("gpt2"):
            held_out.append(one)
        print(f"  {row['network']:<16} {row['type']} batch {row['batch']:>4}  "
              f"step {float(row['step_s']) * 1e3:6.1f} ms, predicted {one['step']:.2f} of it  "
              f"memory {float(row['memory_bytes']) / 1e9:5.1f} GB, {one['memory']:.2f} of it")
    print()
    for kind, some in (found | {"all": sum(found.values(), [])}).items():
        print(f"  {kind:<5} {len(some):4} runs  {steps(some)}  {memory(some)}")
    print(f"  without GPT-2: {len(held_out)} runs  {memory(held_out)}")


if __name__ == "__main__":
    main()
