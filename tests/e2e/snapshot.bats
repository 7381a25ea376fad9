#!/usr/bin/env bats
# Does the snapshot say what Slurm says: nodes, busy GPUs, switches, limits, and does it stay whole?

load cluster

setup_file() {
    cat >"$BATS_FILE_TMPDIR/nodes.toml" <<'END'
version = 1

[network]
bandwidth = "10 Gbit/s"
latency = "20 us"

[[node]]
name = "n[1-2]"
gpu = "titanx"
count = 4
cpus = 8
pcie = { switches = 2, inside = "5.96 GB/s", across = "4.46 GB/s" }
switch = "leaf1"

[[node]]
name = "n[3-4]"
gpu = "p100"
count = 2
cpus = 4
switch = "leaf2"
END
    cluster_up --nodes "$BATS_FILE_TMPDIR/nodes.toml" --accounting
}

teardown_file() { cluster_down; }

setup() { cd "$work" || return 1; }

teardown() {
    scancel --user="$tester"
    wait_for no_jobs
}

no_jobs() { [ -z "$(squeue --noheader)" ]; }

# field EXPRESSION: of the snapshot `d`, in Python.
field() {
    hora cluster snapshot --output - |
        python3 -c 'import json, sys; d = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"
}

# shown EXPRESSION: of `hora cluster show --json`, nodes by name in `n`.
shown() {
    hora cluster show --json | python3 -c '
import json, sys
d = json.load(sys.stdin)
n = {node["name"]: node for node in d["nodes"]}
print(eval(sys.argv[1]))' "$1"
}

# bats test_tags=releases
@test "an idle cluster: nodes, types, partitions, switches" {
    run hora cluster show
    assert_equal "$status" 0
    assert_contains "$output" "n[1-2]  4 titanx  0-3   8/8"
    assert_contains "$output" "n[3-4]  2 p100    0-1   4/4"
    assert_contains "$output" "leaf1"
    assert_contains "$output" "leaf2"
    assert_equal "$(field 'd["format"], d["version"]')" "('hora-snapshot', 1)"
    assert_equal "$(field 'd["nodes"]["names"]')" "n[1-4]"
    assert_equal "$(field '[p["nodes"] for p in d["partitions"]]')" "['0-3']"
}

# bats test_tags=releases
@test "where the switches cannot be asked for, it is said" {
    [ "$gres" = gres/gpu ] || skip "libslurm itself reads the switches of this release"
    mkdir "$work/broken"
    printf '#!/bin/sh\necho "scontrol: error: down"\nexit 1\n' >"$work/broken/scontrol"
    chmod 755 "$work/broken/scontrol"
    PATH=$work/broken:$PATH run hora cluster show
    assert_equal "$status" 0
    assert_contains "$output" "the fabric is unknown: all nodes count as on one switch: "
    assert_contains "$output" "scontrol: error: down"
}

@test "nodes are built as the cluster file and gres.conf say" {
    assert_equal "$(shown '[g["gpus"] for g in n["n1"]["groups"]]')" "[[0, 1], [2, 3]]"
    assert_equal "$(shown '{g["kind"] for g in n["n1"]["groups"]}')" "{'pcie_switch'}"
    assert_equal "$(shown 'n["n1"]["gpu_sockets"], n["n3"]["gpu_sockets"], n["n3"]["groups"]')" \
        "([0, 0, 1, 1], [0, 0], [])"
    run hora cluster show
    assert_contains "$output" "leaf1   0-1 2-3"
}

@test "without a word of the site, GPUs of one socket are a group" {
    sed '/^\[\[node\]\]/,$d' "$HORA_CONF" >"$work/plain.toml"
    HORA_CONF=$work/plain.toml
    assert_equal "$(shown '[(g["kind"], g["gpus"]) for g in n["n1"]["groups"]]')" \
        "[('socket', [0, 1]), ('socket', [2, 3])]"
}

# with_inside NODE FILE: hora.toml with nothing but this file said of the inside of nodes.
with_inside() {
    sed '/^\[\[node\]\]/,$d' "$CLUSTER_DIR/etc/hora.toml" >"$work/inside.toml"
    printf '[[node]]\nname = "%s"\ntopology = "%s"\n' "$1" "$2" >>"$work/inside.toml"
    HORA_CONF=$work/inside.toml
}

@test "a topology file says how a node is built inside" {
    with_inside n1 "$root/tests/topologies/two-switches-two-sockets.xml"
    assert_equal "$(hora config check)" "$work/inside.toml: OK"
    assert_equal "$(shown '[(g["kind"], g["gpus"]) for g in n["n1"]["groups"]]')" \
        "[('pcie_switch', [0, 1]), ('pcie_switch', [2, 3])]"
    assert_equal "$(shown 'n["n1"]["gpu_sockets"]')" "[0, 0, 1, 1]"
}

@test "a topology file of another machine, or a damaged one, makes only its node unknown" {
    with_inside n3 "$root/tests/topologies/two-switches-two-sockets.xml"
    run hora cluster show
    assert_equal "$status" 0
    assert_contains "$output" 'hora: the inside of node "n3" counts as unknown: '
    assert_contains "$output" 'has 4 GPUs, Slurm 2'
    assert_equal "$(shown 'n["n3"]["groups"], n["n1"]["gpu_sockets"]')" "([], [0, 0, 1, 1])"
    head -c 700 "$root/tests/topologies/two-switches-two-sockets.xml" >"$work/torn.xml"
    with_inside n1 torn.xml
    run hora config check
    assert_equal "$status" 2
    run hora cluster snapshot --output "$work/s.json"
    assert_equal "$status" 0
    assert_contains "$output" 'hora: the inside of node "n1" counts as unknown: '
    assert_equal "$(shown 'n["n1"]["groups"], len(n["n2"]["groups"])')" "([], 2)"
}

@test "bus ids that gres.conf notes must be those of the topology file" {
    with_inside n1 "$root/tests/topologies/two-switches-two-sockets.xml"
    cp "$CLUSTER_DIR/etc/gres.conf" "$work/gres.conf"
    sed -i '1i # nvidia0 0000:ee:00.0' "$CLUSTER_DIR/etc/gres.conf"
    run hora cluster show
    cp "$work/gres.conf" "$CLUSTER_DIR/etc/gres.conf"
    assert_equal "$status" 0
    assert_contains "$output" "has no GPU at 0000:ee:00.0, which gres.conf:2 notes for"
}

@test "a word that does not fit a node is remarked on, and only that node is unknown" {
    sed 's/switches = 2/switches = 8/' "$HORA_CONF" >"$work/wrong.toml"
    HORA_CONF=$work/wrong.toml
    run hora cluster show
    assert_equal "$status" 0
    assert_contains "$output" 'hora: the inside of node "n[1-2]" counts as unknown: '
    assert_contains "$output" "4 GPUs cannot be on 8 switches"
    assert_equal "$(shown 'n["n1"]["groups"], n["n1"]["gpu_sockets"], n["n3"]["gpu_sockets"]')" \
        "([], [], [0, 0])"
}

@test "busy GPUs are those that Slurm gave away" {
    first=$(as_user sbatch --parsable --output=/dev/null -w n1 --gres=gpu:titanx:1 --wrap 'sleep 600')
    second=$(as_user sbatch --parsable --output=/dev/null -w n1 --gres=gpu:titanx:2 --wrap 'sleep 600')
    wait_for_job "$first" RUNNING
    wait_for_job "$second" RUNNING
    scancel "$first"
    wait_for_job "$first" CANCELLED
    busy=$(scontrol --details show node n1 | sed -n 's/.*GresUsed=.*(IDX:\(.*\))/\1/p')
    assert_equal "$(shown 'sum(not g["free"] for g in n["n1"]["gpus"])')" 2
    found=$(hora cluster snapshot --output - | grep -o '"busy":"[^"]\+"' | sort -u)
    assert_equal "$found" "\"busy\":\"$busy\""
    assert_equal "$(shown 'n["n1"]["free_cpus"], n["n2"]["free_cpus"]')" "(7, 8)"
}

@test "drained nodes are not usable, and reservations are listed" {
    scontrol update nodename=n2 state=drain reason=test
    assert_equal "$(shown '[name for name in n if not n[name]["usable"]]')" "['n2']"
    scontrol update nodename=n2 state=resume
    scontrol create reservation=later starttime=now+1hour duration=60 nodes=n[3-4] users=root
    assert_equal "$(field '[(r["name"], r["nodes"]) for r in d["reservations"]]')" "[('later', '2-3')]"
    scontrol delete reservation=later
}

@test "what QOS and associations leave" {
    sacctmgr --immediate --quiet add qos tight set MaxTRESPerJob=gres/gpu=3,node=2 \
        GrpTRES=gres/gpu=6 MaxTRESPerUser=gres/gpu=4 MaxWall=01:00:00
    sacctmgr --immediate --quiet modify account main set GrpTRES=gres/gpu=7
    sacctmgr --immediate --quiet modify user "$tester" set MaxTRESPerJob=cpu=12 MaxWall=02:00:00 \
        qos=normal,tight DefaultQOS=tight where account=main
    job=$(as_user sbatch --parsable --output=/dev/null -w n1 --gres=gpu:2 --wrap 'sleep 600')
    wait_for_job "$job" RUNNING
    qos='[a for a in d["allowances"] if a["qos"] == "tight" and not a["user"]][0]'
    assert_equal "$(field "$qos"'["per_job"]')" "{'gpus': 3, 'nodes': 2, 'cpus': None, 'memory_mib': None, 'billing': None}"
    assert_equal "$(field "$qos"'["left"]["gpus"], '"$qos"'["max_seconds"]')" "(4, 3600.0)"
    share='[a for a in d["allowances"] if a["qos"] == "tight" and a["user"] == "'"$tester"'"][0]'
    assert_equal "$(field "$share"'["per_user"]["gpus"]')" 2
    own='[a for a in d["allowances"] if not a["qos"] and a["user"] == "'"$tester"'"][0]'
    assert_equal "$(field "$own"'["per_job"]["cpus"], '"$own"'["left"]["gpus"], '"$own"'["max_seconds"]')" \
        "(12, 5, 7200.0)"
    assert_equal "$(field '[u for u in d["users"] if u["name"] == "'"$tester"'"][0]')" \
        "{'uid': $(id -u "$tester"), 'name': '$tester', 'account': 'main', 'qos': 'tight'}"
}

@test "the file is replaced whole, with mode 0644, and reads back" {
    hora cluster snapshot --output "$work/snapshot.json"
    assert_equal "$(stat --format=%a "$work/snapshot.json")" 644
    assert_equal "$(ls "$work" | grep -c '^snapshot.json')" 1
    assert_equal "$(hora cluster show --from "$work/snapshot.json")" "$(hora cluster show)"
}

@test "on a full disk the old file stays" {
    mkdir -p "$work/small"
    mount -t tmpfs -o size=4k tmpfs "$work/small" || skip "no right to mount"
    echo old >"$work/small/snapshot.json"
    run hora cluster snapshot --output "$work/small/snapshot.json"
    found=$(ls "$work/small")
    content=$(cat "$work/small/snapshot.json")
    umount "$work/small"
    assert_equal "$status" 1
    assert_contains "$output" "No space left on device; the old file, if any, is unchanged"
    assert_equal "$found $content" "snapshot.json old"
}

@test "clear words when the place or Slurm's configuration is wrong" {
    run hora cluster snapshot --output /nonexistent/snapshot.json
    assert_equal "$status" 1
    assert_contains "$output" 'hora: cannot create a file beside "/nonexistent/snapshot.json": No such file'
    SLURM_CONF=/nonexistent/slurm.conf run hora cluster show
    assert_equal "$status" 1
    assert_contains "$output" 'hora: cannot read "/nonexistent/slurm.conf", which SLURM_CONF names'
    run hora cluster snapshot --watch 0
    assert_equal "$status" 2
}

@test "a torn snapshot is an error that names the file" {
    hora cluster snapshot --output - | head -c 500 >"$work/torn.json"
    run hora cluster show --from "$work/torn.json"
    assert_equal "$status" 1
    assert_contains "$output" "hora: $work/torn.json: is torn or no JSON object"
}

@test "the watch writes again until it is ended" {
    hora cluster snapshot --output "$work/watched.json" --watch 1 3>&- &
    watch=$!
    wait_for test -s "$work/watched.json"
    first=$(stat --format=%i "$work/watched.json")
    wait_for eval '[ "$(stat --format=%i "$work/watched.json")" != '"$first"' ]'
    kill "$watch"
    wait_for_end "$watch"
}
