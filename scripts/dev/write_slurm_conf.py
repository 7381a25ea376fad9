#!/usr/bin/python3
"""Which slurm.conf, and which files beside it, make the virtual nodes of a cluster file real?

Keys read: switch[].{name, parent}; node[].{name, gpu, count, cpus (8), switch, pcie.switches (1;
GPUs and cores are dealt out evenly, Slurm sees each PCIe switch as a socket)} as in every cluster
file, and node[].slurm.{features ([]), partition ("main", or a list), memory ("1000 MiB"), also (GPUs
of a second type in the same node: "titanx:2")}, which only Slurm needs. network and gpu.NAME go on
to hora.toml.
"""

import argparse
import json
import pathlib
import random
import re
import socket
import sys
import tomllib

NODE_KEYS = {"name", "gpu", "count", "topology", "pcie", "link", "switch", "bandwidth", "busy",
             "overhead", "cpus", "slurm"}
SLURM_KEYS = {"features", "partition", "memory", "also"}
MEBIBYTES = {"MiB": 1, "GiB": 1024}
MAX_NODES = 1000
# Below the range from which the kernel hands out ports to clients.
PORTS = range(10000, 30000)


class WrongFile(Exception):
    """The cluster file cannot be turned into a cluster; the text says what to change."""


def expand_names(text):
    """n[1-3,7] -> n1 n2 n3 n7, digits padded as written."""
    match = re.fullmatch(r"([A-Za-z][\w-]*)(?:\[([\d,-]+)\])?", text)
    if not match:
        raise WrongFile(f'node name "{text}" is not a name or a range such as "n[1-4]"')
    prefix, ranges = match.groups()
    if ranges is None:
        return [prefix]
    names = []
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        last = last or first
        if not first.isdigit() or not last.isdigit() or int(last) - int(first) >= MAX_NODES:
            raise WrongFile(f'range "{part}" of node name "{text}" is wrong or too long')
        width = len(first)
        names += [f"{prefix}{number:0{width}d}" for number in range(int(first), int(last) + 1)]
    return names


def memory_of(text):
    match = re.fullmatch(r"(\d+)\s*(MiB|GiB)", str(text))
    if not match:
        raise WrongFile(f'memory "{text}" is not a quantity such as "1000 MiB"')
    return int(match[1]) * MEBIBYTES[match[2]]


def number_of(table, key, default, where):
    value = table.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise WrongFile(f'{key} = {value!r} of {where} is not a number >= 1')
    return value


def refuse_unknown(table, known, where):
    unknown = sorted(set(table) - known)
    if unknown:
        raise WrongFile(f'unknown key "{unknown[0]}" of {where}')


def second_type(text, where):
    """("titanx", 2) of "titanx:2"."""
    match = re.fullmatch(r"([\w.-]+):(\d+)", text)
    if not match:
        raise WrongFile(f'also = "{text}" of {where} is not a type and a number, "titanx:2"')
    return match[1], int(match[2])


def read_node(table):
    if "name" not in table:
        raise WrongFile("a [[node]] has no name")
    where = f'node "{table["name"]}"'
    slurm = table.get("slurm", {})
    refuse_unknown(table, NODE_KEYS, where)
    refuse_unknown(slurm, SLURM_KEYS, f"slurm of {where}")
    if "count" in table and "gpu" not in table:
        raise WrongFile(f"{where} has a count but no gpu")
    partition = slurm.get("partition", "main")
    node = {
        "names": expand_names(table["name"]),
        "gpu": table.get("gpu"),
        "count": number_of(table, "count", 1, where) if "gpu" in table else 0,
        "cpus": number_of(table, "cpus", 8, where),
        "sockets": number_of(table.get("pcie", {}), "switches", 1, f"pcie of {where}"),
        "memory": memory_of(slurm.get("memory", "1000 MiB")),
        "switch": table.get("switch"),
        "features": list(slurm.get("features", [])),
        "also": [second_type(slurm["also"], where)] if "also" in slurm else [],
        "partitions": [partition] if isinstance(partition, str) else list(partition),
    }
    if node["also"] and (node["sockets"] > 1 or not node["count"]):
        raise WrongFile(f"{where} has a second type, so it needs a first and one PCIe switch")
    for what in ("cpus", "count"):
        if node[what] % node["sockets"]:
            raise WrongFile(f"{what} of {where} does not divide by its PCIe switches")
    return node


def read_cluster(path):
    with open(path, "rb") as file:
        cluster = tomllib.load(file)
    nodes = [read_node(table) for table in cluster.get("node", [])]
    names = [name for node in nodes for name in node["names"]]
    if not names:
        raise WrongFile("no [[node]] in the file")
    if len(set(names)) < len(names):
        raise WrongFile("a node is named twice")
    if len(names) > MAX_NODES:
        raise WrongFile(f"{len(names)} nodes; at most {MAX_NODES} run on one machine")
    return nodes, cluster


def is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("0.0.0.0", port))
        except OSError:
            return False
    return True


def free_ports(count):
    """A run of free ports; the caller keeps other clusters from choosing at the same time."""
    for _ in range(200):
        first = random.randrange(PORTS.start, PORTS.stop - count)
        if all(is_free(port) for port in range(first, first + count)):
            return first
    raise WrongFile(f"found no {count} free ports in a row from {PORTS.start} on")


def node_lines(nodes, first_port):
    port = first_port
    for node in nodes:
        cores = node["cpus"] // node["sockets"]
        parts = [f"CPUs={node['cpus']} Boards=1 SocketsPerBoard={node['sockets']}",
                 f"CoresPerSocket={cores} ThreadsPerCore=1 RealMemory={node['memory']}"]
        if node["count"]:
            types = [(node["gpu"], node["count"]), *node["also"]]
            parts.append("Gres=" + ",".join(f"gpu:{name}:{count}" for name, count in types))
        features = ([node["gpu"]] if node["gpu"] else []) + node["features"]
        if features:
            parts.append(f"Feature={','.join(dict.fromkeys(features))}")
        for name in node["names"]:
            yield (f"NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} "
                   f"{' '.join(parts)} State=UNKNOWN")
            port += 1


def partition_lines(nodes):
    members = {}
    for node in nodes:
        for partition in node["partitions"]:
            members.setdefault(partition, []).extend(node["names"])
    for place, (partition, names) in enumerate(members.items()):
        default = " Default=YES" if place == 0 else ""
        yield (f"PartitionName={partition} Nodes={','.join(names)}{default} MaxTime=INFINITE "
               "State=UP")


def gres_lines(nodes, devices):
    for node in nodes:
        gpus = node["count"] // node["sockets"]
        cores = node["cpus"] // node["sockets"]
        for place in range(node["sockets"] if gpus else 0):
            last_gpu = (place + 1) * gpus - 1
            files = f"[{place * gpus}-{last_gpu}]" if gpus > 1 else str(last_gpu)
            yield (f"NodeName={','.join(node['names'])} Name=gpu Type={node['gpu']} "
                   f"File={devices}/nvidia{files} "
                   f"Cores={place * cores}-{(place + 1) * cores - 1}")
        for name, count in node["also"]:
            first = node["count"]
            yield (f"NodeName={','.join(node['names'])} Name=gpu Type={name} "
                   f"File={devices}/nvidia[{first}-{first + count - 1}] Cores=0-{cores - 1}")


def topology_lines(nodes, switches):
    """A leaf for each switch that a node names; nodes without one share a leaf of their own."""
    leaves = {}
    for node in nodes:
        leaves.setdefault(node["switch"] or "unnamed", []).extend(node["names"])
    below = {}
    parents = {switch["name"]: switch.get("parent") for switch in switches}
    for name in dict.fromkeys([*leaves, *parents]):
        # A Slurm tree has one root; what the file leaves without a parent hangs on it.
        below.setdefault(parents.get(name) or "fabric", []).append(name)
    for leaf, names in leaves.items():
        yield f"SwitchName={leaf} Nodes={','.join(names)}"
    for parent, children in below.items():
        if parent != "fabric" or len(children) > 1:
            yield f"SwitchName={parent} Switches={','.join(children)}"


def main_lines(options, has_switches, first_port):
    etc, run = f"{options.dir}/etc", f"{options.dir}/run"
    yield from (
        f"ClusterName={options.name}", "SlurmctldHost=localhost(127.0.0.1)",
        f"SlurmctldPort={first_port}", f"SlurmdPort={first_port + 1}",
        "AuthType=auth/munge", f"AuthInfo=socket={run}/munge.socket",
        "SlurmUser=root", "SlurmdUser=root",
        f"StateSaveLocation={options.dir}/state", f"SlurmdSpoolDir={options.dir}/spool/%n",
        f"SlurmctldPidFile={run}/slurmctld.pid", f"SlurmdPidFile={run}/slurmd-%n.pid",
        f"SlurmctldLogFile={options.dir}/log/slurmctld.log",
        f"SlurmdLogFile={options.dir}/log/slurmd-%n.log",
        f"TmpFS={options.dir}/tmp/%n",
        "SlurmctldDebug=verbose", "SlurmdDebug=verbose",
        "SelectType=select/cons_tres", "SelectTypeParameters=CR_Core",
        "SchedulerType=sched/backfill", "GresTypes=gpu", "ReturnToService=2", "MpiDefault=none",
        "MailProg=/bin/true", "SlurmdParameters=config_overrides",
        "SchedulerParameters=batch_sched_delay=0,sched_interval=5,bf_interval=5,"
        "sched_min_interval=200000",
        f"PluginDir={options.plugin_path}", f"PlugStackConfig={etc}/plugstack.conf")
    if options.cgroups:
        # No binding unless it is asked for: the nodes have more CPUs than the machine, and tasks on
        # those that it has not do not start.
        yield from ("ProctrackType=proctrack/cgroup", "TaskPlugin=task/cgroup,task/affinity",
                    "TaskPluginParam=none")
    else:
        yield "ProctrackType=proctrack/linuxproc"
    if options.quick_end:
        yield "KillWait=5"
    if has_switches:
        yield "TopologyPlugin=topology/tree"
    if options.job_submit:
        yield f"JobSubmitPlugins={options.job_submit}"
    if options.accounting:
        yield from (
            "AccountingStorageType=accounting_storage/slurmdbd",
            "AccountingStorageHost=localhost", f"AccountingStoragePort={first_port + 2}",
            f"AccountingStoragePass={run}/munge.socket",
            "AccountingStorageTRES=gres/gpu",
            "AccountingStorageEnforce=associations,limits,qos")


def inline_toml(value):
    if not isinstance(value, dict):
        return json.dumps(value)
    return "{ " + ", ".join(f"{key} = {json.dumps(inner)}" for key, inner in value.items()) + " }"


def toml_lines(tables, prefix=""):
    """TOML of nested tables of strings and numbers."""
    values = {key: value for key, value in tables.items() if not isinstance(value, dict)}
    if values:
        yield from ([f"[{prefix}]"] if prefix else [])
        yield from (f"{key} = {json.dumps(value)}" for key, value in values.items())
    for key, value in tables.items():
        if isinstance(value, dict):
            yield from toml_lines(value, f'{prefix}.{json.dumps(key)}' if prefix else key)


def inside_lines(options, cluster):
    """How the nodes are built inside, where the cluster file says it."""
    for node in cluster["node"]:
        inside = {key: node[key] for key in ("pcie", "link") if key in node}
        if "topology" in node:
            inside["topology"] = str(pathlib.Path(options.nodes).parent.resolve() / node["topology"])
        if inside:
            yield "[[node]]"
            yield from (f"{key} = {inline_toml(value)}"
                        for key, value in {"name": node["name"], **inside}.items())


def daemon_settings(options, port):
    """The daemon's own files and port: another cluster beside this one has others."""
    state = f"{options.dir}/state/hora"
    return {"horad": {"state": state, "port": port}, "history": {"path": f"{state}/history.db"}}


def settings_lines(options, cluster, port):
    """What the cluster file says of links and GPUs holds for the plugins too."""
    text = pathlib.Path(options.settings).read_text()
    yield text.replace("@DIR@", options.dir).replace("@PORT@", str(port))
    if not options.own_settings:
        yield from toml_lines(daemon_settings(options, port))
        yield from toml_lines({key: cluster[key] for key in ("network", "gpu") if key in cluster})
        yield from inside_lines(options, cluster)


def write(path, lines, mode=0o644):
    path.write_text("\n".join(lines) + "\n")
    path.chmod(mode)


def write_all(options):
    nodes, cluster = read_cluster(options.nodes)
    names = [name for node in nodes for name in node["names"]]
    first_port = free_ports(len(names) + 4)
    has_switches = any(node["switch"] for node in nodes)
    home = pathlib.Path(options.dir)
    etc = home / "etc"
    snippet = pathlib.Path(options.conf).read_text().splitlines() if options.conf else []
    main = list(main_lines(options, has_switches, first_port))
    # The last word on a key wins, so a snippet may overrule what stands above it; but controllers
    # add up.
    if any(line.startswith("SlurmctldHost=") for line in snippet):
        main = [line for line in main if not line.startswith("SlurmctldHost=")]
    write(etc / "slurm.conf", [*main,
                               *node_lines(nodes, first_port + 3), *partition_lines(nodes),
                               *snippet])
    if options.cgroups:
        # No ConstrainCores: the nodes have more CPUs than the machine.
        write(etc / "cgroup.conf", ["CgroupPlugin=cgroup/v1", "ConstrainDevices=yes"])
    write(etc / "gres.conf", gres_lines(nodes, home / "dev"))
    # Why: contrib/slurm/mpi.conf.
    write(etc / "mpi.conf", ["PMIxCollFence=tree"])
    if has_switches:
        write(etc / "topology.conf", topology_lines(nodes, cluster.get("switch", [])))
    if options.accounting:
        write(etc / "slurmdbd.conf", [
            "AuthType=auth/munge", f"AuthInfo=socket={home}/run/munge.socket",
            "DbdHost=localhost", f"DbdPort={first_port + 2}", "SlurmUser=root",
            f"LogFile={home}/log/slurmdbd.log", f"PidFile={home}/run/slurmdbd.pid",
            f"PluginDir={options.plugin_path}", "StorageType=accounting_storage/mysql",
            "StorageHost=localhost", "StorageLoc=slurm_acct_db", "StorageUser=root"], 0o600)
    # Jobs find each other by node name, as on a real cluster.
    write(etc / "hosts", ["127.0.0.1 localhost " + socket.gethostname(),
                          *(f"127.0.0.1 {name}" for name in names)])
    write(etc / "hora.toml", settings_lines(options, cluster, first_port + 3 + len(names)))
    write(etc / "nodes", names)
    write(etc / "gpus", [str(max(node["count"] + sum(count for _, count in node["also"])
                                 for node in nodes))])
    write(etc / "cluster.toml", [pathlib.Path(options.nodes).read_text()])


def main():
    parser = argparse.ArgumentParser(description="writes the configuration of a private Slurm")
    for name in ("dir", "name", "nodes", "plugin-path", "settings"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("conf", "job-submit"):
        parser.add_argument(f"--{name}", default="")
    for name in ("accounting", "cgroups", "own-settings", "quick-end"):
        parser.add_argument(f"--{name}", action="store_true")
    options = parser.parse_args()
    try:
        write_all(options)
    except (WrongFile, tomllib.TOMLDecodeError) as error:
        print(f'devcluster: "{options.nodes}": {error}', file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f'devcluster: "{error.filename}": {error.strerror}', file=sys.stderr)
        sys.exit(1)


main()
