"""P4's four GPUs in a simulated network: two on each of two PCIe switches, 5.96 GB/s within a pair
and 4.46 GB/s across."""
import os
import subprocess
import sys
import tempfile

TEXT = "/usr/share/dictd/gcide.dict.dz"
PLATFORM = """<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="machine" routing="Floyd">
{hosts}
<router id="a"/><router id="b"/>
<link id="across" bandwidth="4.46GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>
{links}
<route src="a" dst="b" symmetrical="NO"><link_ctn id="across_UP"/></route>
<route src="b" dst="a" symmetrical="NO"><link_ctn id="across_DOWN"/></route>
{routes}
</zone></platform>"""
HOST = '<host id="h{0}" speed="1Gf"/>'
LINK = '<link id="l{0}" bandwidth="5.96GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>'
ROUTES = """<route src="h{0}" dst="{1}" symmetrical="NO"><link_ctn id="l{0}_UP"/></route>
<route src="{1}" dst="h{0}" symmetrical="NO"><link_ctn id="l{0}_DOWN"/></route>"""


def exchange(program, text, way, rate, outer_rate, frequent=0.5):
    """What sampling.cpp prints of a step: its seconds and MB, and those that the planner counts."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "platform.xml"), "w", encoding="ascii") as file:
            parts = ["\n".join(part.format(rank, "ab"[rank // 2]) for rank in range(4))
                     for part in (HOST, LINK, ROUTES)]
            file.write(PLATFORM.format(hosts=parts[0], links=parts[1], routes=parts[2]))
        with open(os.path.join(folder, "hosts"), "w", encoding="ascii") as file:
            file.writelines(f"h{rank}\n" for rank in range(4))
        done = subprocess.run(
            ["smpirun", "-np", "4", "-platform", os.path.join(folder, "platform.xml"),
             "-hostfile", os.path.join(folder, "hosts"), "--cfg=smpi/host-speed:1Gf",
             "--cfg=smpi/simulate-computation:no", "--log=root.thres:critical",
             "--cfg=smpi/allreduce:lr",
             program, text, way, str(rate), str(outer_rate), "2", str(frequent)],
            cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not done.stdout:
        sys.exit(f"{way} {rate}: smpirun failed\n{done.stdout}{done.stderr}")
    return [float(word) for word in done.stdout.split()]
