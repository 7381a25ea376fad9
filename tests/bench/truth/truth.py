"""How far off are predicted steps, and which efficiencies meet published ones best?

    truth.py HORA DEVICES.TOML THROUGHPUT.CSV [--networks FOLDER] [--fit]

Prints the errors of the shipped efficiencies by network, GPU and source, and then those of
efficiencies that were fitted anew without the networks of one family, or without one GPU type, at a
time: what stands for networks and GPUs that were not measured. --fit prints the tables of
devices.toml that the fit of all points gives. A network that Hora does not know by name is read
from FOLDER/NETWORK.onnx, and left out without one.
"""
import argparse
import csv
import functools
import json
import os
import subprocess
import tomllib
from collections import Counter

import numpy
from scipy.optimize import least_squares

KINDS = ("convolution", "grouped_convolution", "dense", "attention")
TYPES = ("fp32", "tf32", "fp16")  # bf16 counts as fp16
SIZES = {"fp32": 4, "tf32": 4, "fp16": 2}
FAMILIES = {"electra-base": "bert", "densenet161": "densenet", "googlenet": "inception"}
ALIKE = {"tesla_v100-sxm2-32gb": "v100", "nvidia_a100-pcie-40gb": "a100-40gb",
         "nvidia_a100_80gb_pcie": "a100-80gb", "nvidia_h100_pcie": "h100"}
# Where the fit starts and what it stays near: shares by type and kind, of memory by type, the
# least time of a layer, that of a step, and a factor for each architecture.
START = [.7, .3, .6, .5, .5, .25, .45, .4, .4, .2, .35, .3, .2, .3, .3, 3e-5, 8e-3]
STIFFNESS = [.4] * 12 + [.3] * 3 + [.4] * 2
ARCHITECTURE_STIFFNESS = 3.0
PASSES = 3  # forward, and backward twice as long
OPTIMIZER_BYTES = 4 * 7  # Adam: the gradient, and weight and two copies read and written


def rate(text):
    number, unit = text.split()
    return float(number) * {"T": 1e12, "G": 1e9, "P": 1e15}[unit[0]]


def read_devices(path):
    with open(path, "rb") as file:
        tables = tomllib.load(file)["gpu"]
    devices = {}
    for name, table in tables.items():
        device = dict(devices.get(table.get("like"), {}))
        device.update({key: table[key] for key in ("peak", "memory_bandwidth", "efficiency")
                       if key in table})
        devices[name] = device
    return devices


class Models:
    def __init__(self, hora, folder):
        self.hora, self.folder = hora, folder

    def listing(self, model, sequence, batch):
        command = [self.hora, "model", model, "--json", "--batch", str(batch)]
        if sequence:
            command += ["--sequence", sequence]
        done = subprocess.run(command, capture_output=True, text=True)
        return json.loads(done.stdout)["layers"] if done.returncode == 0 else None

    # Of each layer: multiply-adds, elements that it writes for a sample, weights, kind.
    @functools.cache
    def layers(self, network, sequence):
        known = {"electra-base": "bert-base"}.get(network, network)
        names = [known] + ([os.path.join(self.folder, network + ".onnx")] if self.folder else [])
        for name in names:
            one, two = (self.listing(name, sequence, batch) for batch in (1, 2))
            if one and two:
                return [(b["mac"] - a["mac"], (b["bytes"] - a["bytes"]) / 4,
                         (2 * a["bytes"] - b["bytes"]) / 4, a["kind"]) for a, b in zip(one, two)]
        return None


class Points:
    def __init__(self, rows, devices, models):
        self.rows = []
        work, traffic, kinds = [], [], []
        for row in rows:
            layers = models.layers(row["network"], row["sequence"])
            device = devices.get(row["gpu"])
            wanted = "fp16" if row["type"] == "bf16" else row["type"]
            if layers is None or device is None:
                continue
            kind = wanted if wanted in device["peak"] else "fp32"
            if kind != wanted and wanted == "fp16":
                continue  # a GPU without it: what the program did is not known
            mac, written, weights, names = (numpy.array(column) for column in zip(*layers))
            batch = float(row["batch"])
            bandwidth = rate(device["memory_bandwidth"])
            work.append(2 * mac * batch / rate(device["peak"][kind]))
            traffic.append((weights + written * batch) * SIZES[kind] / bandwidth)
            kinds.append([KINDS.index(name) if name in KINDS else len(KINDS) for name in names])
            optimizer = OPTIMIZER_BYTES * weights.sum() / bandwidth
            family = FAMILIES.get(row["network"], row["network"].rstrip("0123456789").split("-")[0])
            self.rows.append(row | {
                "type": kind, "family": family, "alike": ALIKE.get(row["gpu"], row["gpu"]),
                "architecture": device["efficiency"],
                "optimizer": optimizer if row["has_optimizer"] == "yes" else 0.0})
        longest = max(map(len, work))
        fill = lambda lists, value: numpy.array(
            [numpy.pad(one, (0, longest - len(one)), constant_values=value) for one in lists])
        self.work, self.traffic = fill(work, 0.0), fill(traffic, 0.0)
        self.kinds = fill(kinds, len(KINDS))
        self.is_layer = fill([numpy.ones(len(one)) for one in work], 0.0)
        column = lambda key: numpy.array([row[key] for row in self.rows])
        self.measured = column("step_s").astype(float)
        self.optimizer = column("optimizer")
        self.type = numpy.array([TYPES.index(row["type"]) for row in self.rows])
        self.architectures = sorted(set(column("architecture")))
        self.architecture = numpy.array(
            [self.architectures.index(row["architecture"]) for row in self.rows])
        # Many batches of one network on one GPU say little more than a few.
        alike = Counter((row["family"], row["alike"]) for row in self.rows)
        self.weight = numpy.array(
            [alike[row["family"], row["alike"]] ** -.5 for row in self.rows])

    def predict(self, logs, which):
        shares = numpy.hstack([numpy.exp(logs[:12]).reshape(3, 4), numpy.ones((3, 1))])
        memory, (layer, step) = numpy.exp(logs[12:15]), numpy.exp(logs[15:17])
        architecture = numpy.exp(logs[17:])[self.architecture[which]]
        computed = self.work[which] / shares[self.type[which][:, None], self.kinds[which]]
        moved = self.traffic[which] / memory[self.type[which]][:, None]
        forward = numpy.maximum(numpy.maximum(computed, moved) / architecture[:, None], layer)
        return step + PASSES * (forward * self.is_layer[which]).sum(1) + self.optimizer[which]

    def errors(self, logs, which):
        return numpy.log(self.predict(logs, which) / self.measured[which])

    def start(self):
        return numpy.concatenate([numpy.log(START), numpy.zeros(len(self.architectures))])

    def fit(self, which):
        start = self.start()
        stiffness = numpy.concatenate(
            [STIFFNESS, numpy.full(len(self.architectures), ARCHITECTURE_STIFFNESS)])
        return least_squares(
            lambda logs: numpy.concatenate([self.weight[which] * self.errors(logs, which),
                                            stiffness * (logs - start)]),
            start, loss="soft_l1", f_scale=.3, max_nfev=40).x


def told(errors):
    off = numpy.abs(numpy.exp(errors) - 1)
    low, high = numpy.exp(-numpy.quantile(errors, (.9, .1)))
    return (f"{len(errors):4} points  off by {numpy.median(off):5.1%} in the median  "
            f"{numpy.mean(numpy.abs(errors) < numpy.log(1.6)):4.0%} within 1.6  "
            f"measured / predicted {numpy.exp(-numpy.median(errors)):.2f} "
            f"({low:.2f} ... {high:.2f} for four in five)")


def left_out(points, key):
    everything = numpy.arange(len(points.rows))
    values = numpy.array([row[key] for row in points.rows])
    all_errors = []
    for value in sorted(set(values)):
        logs = points.fit(everything[values != value])
        errors = points.errors(logs, everything[values == value])
        all_errors.append(errors)
        print(f"  {value:<24} {told(errors)}")
    print(f"  {'all':<24} {told(numpy.concatenate(all_errors))}")


def tables(points, logs):
    shares = numpy.exp(logs[:12]).reshape(3, 4)
    memory, (layer, step) = numpy.exp(logs[12:15]), numpy.exp(logs[15:17])
    for name, factor in zip(points.architectures, numpy.exp(logs[17:])):
        by_type = lambda values: "{ " + ", ".join(
            f"{kind} = {value * factor:.2g}" for kind, value in zip(TYPES, values)) + " }"
        print(f"\n[efficiency.{name}]")
        for i, kind in enumerate(KINDS):
            print(f"{kind} = {by_type(shares[:, i])}")
        print(f"recurrent = {by_type(shares[:, KINDS.index('dense')])}")
        print(f"memory = {by_type(memory)}\nlayer = \"{layer * 1e6:.0f} us\"\n"
              f"step = \"{step * 1e3:.0f} ms\"\noptimizer_bytes = 4")


def shipped(points, devices_path):
    """The logarithms of the shipped tables, an architecture at a time."""
    with open(devices_path, "rb") as file:
        known = tomllib.load(file)["efficiency"]
    errors = numpy.zeros(len(points.rows))
    for index, name in enumerate(points.architectures):
        table = known[name]
        share = lambda kind, data: table[kind].get(data, table[kind]["fp32"])
        logs = numpy.log([share(kind, data) for data in TYPES for kind in KINDS] +
                         [share("memory", data) for data in TYPES] +
                         [float(table["layer"].split()[0]) * 1e-6,
                          float(table["step"].split()[0]) * 1e-3] + [1] * len(points.architectures))
        which = numpy.flatnonzero(points.architecture == index)
        errors[which] = points.errors(logs, which)
    return errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hora")
    parser.add_argument("devices")
    parser.add_argument("throughput")
    parser.add_argument("--networks")
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    with open(options.throughput, newline="") as file:
        rows = list(csv.DictReader(file))
    points = Points(rows, read_devices(options.devices), Models(options.hora, options.networks))
    print(f"{len(points.rows)} of {len(rows)} published steps; the others' networks are not known")
    errors = shipped(points, options.devices)
    bare = numpy.log(PASSES * numpy.maximum(points.work, points.traffic).sum(1) / points.measured)
    print(f"\nthe bare roofline\n  {'all':<24} {told(bare)}\n\nthe shipped efficiencies")
    for key in ("family", "alike", "type", "source"):
        values = numpy.array([row[key] for row in points.rows])
        for value in sorted(set(values)):
            print(f"  {value[:24]:<24} {told(errors[values == value])}")
        print()
    print(f"  {'all':<24} {told(errors)}\n\nfitted without the family")
    left_out(points, "family")
    print("\nfitted without the GPU type")
    left_out(points, "alike")
    if options.fit:
        tables(points, points.fit(numpy.arange(len(points.rows))))


if __name__ == "__main__":
    main()
