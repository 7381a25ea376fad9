"""How far off are predicted steps and memory on a GPU that no efficiency was fitted to?

    held_out.py HORA MEASURED.CSV

Prints what `hora plan` says of each of the measured runs, and its errors by number format. Of
memory the plan counts the driver and the framework as well, which MEASURED.CSV leaves out; and what
the loss keeps (cost/memory.hpp) was looked at on the GPT-2 among these runs.
"""
import csv
import json
import math
import statistics
import subprocess
import sys
import tempfile


def predicted(hora, row):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as cluster:
        cluster.write(f'version = 1\n[[node]]\nname = "n1"\ngpu = "{row["gpu"]}"\ncount = 1\n')
        cluster.flush()
        plan = json.loads(subprocess.run(
            [hora, "plan", "--model", row["network"], "--batch", row["batch"], "--gpus", "1",
             "--dtype", row["type"], "--cluster", cluster.name, "--json"],
            check=True, capture_output=True, text=True).stdout)
    step = float(row["step_s"])
    return {"step": plan["step_seconds"] / step,
            "is_expected": plan["step_seconds_low"] <= step <= plan["step_seconds_high"],
            "memory": plan["devices"][0]["memory_bytes"] / float(row["memory_bytes"])}


def summary(found):
    off = lambda key: statistics.median(abs(one[key] - 1) for one in found)
    within = lambda key, factor: statistics.mean(
        abs(math.log(one[key])) < math.log(factor) for one in found)
    expected = statistics.mean(one["is_expected"] for one in found)
    return (f"{len(found):4} runs  steps: off by {off('step'):5.1%} in the median  "
            f"{within('step', 1.6):4.0%} within 1.6  {expected:4.0%} where expected (of 80 %)  "
            f"memory: off by {off('memory'):5.1%}  {within('memory', 1.3):4.0%} within 1.3")


def main():
    hora, measured = sys.argv[1:]
    with open(measured, newline="") as file:
        rows = list(csv.DictReader(file))
    found = {}
    for row in rows:
        one = predicted(hora, row)
        found.setdefault(row["type"], []).append(one)
        print(f"  {row['network']:<16} {row['type']} batch {row['batch']:>4}  "
              f"step {float(row['step_s']) * 1e3:6.1f} ms, predicted {one['step']:.2f} of it  "
              f"memory {float(row['memory_bytes']) / 1e9:5.1f} GB, {one['memory']:.2f} of it")
    print()
    for kind, some in found.items():
        print(f"  {kind:<5} {summary(some)}")
    print(f"  {'all':<5} {summary(sum(found.values(), []))}")


if __name__ == "__main__":
    main()
