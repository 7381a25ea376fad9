#!/usr/bin/env bats
# Do the commands bear what users and their files do to them?

bats_require_minimum_version 1.5.0
load cluster
load command

setup() { scratch; }
teardown() { clean; }

# refuses FILE MESSAGE: the reader ends soon, by itself, with that message.
refuses() {
    run timeout 30 "$reader" "$1"
    assert_equal "$1: $status" "$1: 2"
    assert_contains "$output" "$2"
}

@test "the reader of models refuses endless, absent and unreadable files" {
    ln -s /dev/zero zero.toml
    ln -s /dev/zero zero.onnx
    mkfifo pipe.toml pipe.onnx
    mkdir folder.toml folder.onnx
    truncate -s 2G huge.toml huge.onnx
    for suffix in toml onnx; do
        refuses zero.$suffix 'hora: "zero.'$suffix'" is no plain file'
        refuses pipe.$suffix 'hora: "pipe.'$suffix'" is no plain file'
        refuses folder.$suffix 'hora: "folder.'$suffix'" is no plain file'
        refuses huge.$suffix 'hora: "huge.'$suffix'" is larger than'
        refuses absent.$suffix 'hora: cannot open "absent.'$suffix'": No such file'
    done
}

@test "the reader of models refuses deep nesting" {
    /usr/bin/python3 - <<'END'
for name, text in {
    "brackets": "a = " + "[" * 100000,
    "braces": "a = " + "{a=" * 100000,
    "dots": ".".join(["a"] * 100000) + " = 1\n",
    "header": "[" + ".".join(["a"] * 100000) + "]\n",
}.items():
    open(name + ".toml", "w").write(text)
END
    for name in brackets braces dots header; do
        refuses $name.toml "hora: $name.toml:1:"
    done
}

@test "settings that slurmctld would not take are named" {
    printf 'mode = "act"\n' >hora.toml
    ln -s hora.toml link.toml
    chmod 644 hora.toml
    HORA_CONF=$PWD/hora.toml run "$hora" config check
    assert_equal "$status" 0
    HORA_CONF=$PWD/link.toml run "$hora" config check
    assert_equal "$status" 1
    assert_contains "$output" "slurmctld does not take \"$PWD/link.toml\", which is a symbolic link"
    chmod 664 hora.toml
    HORA_CONF=$PWD/hora.toml run "$hora" config check
    assert_equal "$status" 1
    assert_contains "$output" "can be written by others (mode 0664); make it 0644"
    chmod 644 hora.toml
    chown daemon hora.toml
    HORA_CONF=$PWD/hora.toml run "$hora" config check
    assert_equal "$status" 0
    assert_contains "$output" "belongs to user $(id -u daemon); slurmctld takes it only where"
}

@test "a plan without a cluster takes the site's snapshot, and says so" {
    snapshot=$root/tests/fuzz/corpus/snapshot/small
    HORA_CONF_SNAPSHOT_PATH=$snapshot run --separate-stderr \
        "$hora" plan --model resnet50 --batch 64 --json
    assert_equal "$status" 0
    assert_equal "$stderr" "hora: using the snapshot \"$snapshot\""
    assert_equal "$(jq .version <<<"$output")" 1
    HORA_CONF_SNAPSHOT_PATH=/nonexistent run "$hora" plan --model resnet50 --batch 64 --json
    assert_equal "$status" 2
    assert_contains "$output" 'hora: --cluster is required: there is no snapshot "/nonexistent"'
}

@test "a variable that is no setting's is named" {
    HORA_CONF_SUBMIT_BUGET="5 ms" run --separate-stderr "$hora" config show --json
    assert_equal "$status" 0
    assert_contains "$stderr" '"HORA_CONF_SUBMIT_BUGET", which is no setting'
    assert_contains "$stderr" 'did you mean "HORA_CONF_SUBMIT_BUDGET"?'
}

@test "a full disk is a failure" {
    for words in "models" "model resnet50 --json" "config show" "--help" "--version"; do
        run bash -c "'$hora' $words >/dev/full"
        assert_equal "$words: $status" "$words: 1"
        assert_contains "$output" "hora: cannot write the output"
    done
    run bash -c "'$reader' resnet50 >/dev/full"
    assert_equal "$status" 2
}

@test "a file that is open already is written to, and not replaced" {
    local list=$BATS_TEST_TMPDIR/list
    echo "before" >"$list"
    # By a name that no file could be put in place of.
    run bash -c "{ echo before; '$hora' simulate --nodes 2 --gpus-per-node 4 --policy fcfs \
        --trace '$root/tests/golden/simulate/rigid.csv' --jobs-csv /proc/self/fd/1; } >'$list'"
    assert_equal "$status" 0
    assert_equal "$(head -n 1 "$list")" before
    assert_equal "$(grep -c '^fcfs,' "$list")" 3
    assert_equal "$(grep -c '^fcfs  ' "$list")" 1
}
