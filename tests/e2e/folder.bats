#!/usr/bin/env bats
# What is left of a job's checkpoint folder when the job is over?

load cluster
load controller

setup_file() {
    sed 's/^remove = .*/remove = true\nkeep = "1 h"/' "$root/scripts/dev/hora.toml" \
        >"$BATS_FILE_TMPDIR/hora.toml"
    cluster_up --settings "$BATS_FILE_TMPDIR/hora.toml"
}
teardown_file() { cluster_down; }
setup() {
    cd "$work" || return 1
    shared=.hora-$(id -u "$tester")
}

# job_in NAME SBATCH-OPTION… <<'END': a plain user's, in a folder $place of its own; the script comes
# on stdin, after a line that notes the job's folder.
job_in() {
    place=$work/$1
    [ -d "$place" ] || as_user mkdir "$place"
    { printf '#!/bin/bash\necho "$HORA_CHECKPOINT_DIR" >folder\n' && cat; } >"$work/$1.sh"
    shift
    job=$(cd "$place" && as_user sbatch --parsable --output=out --gres=gpu:1 "$@" "$place.sh" \
        2>"$place.err")
}

folder() { cat "$place/folder"; }
is_there() { [ -e "$(folder)" ]; }
is_gone_for_good() { [ -s "$place/folder" ] && [ ! -e "$place/$shared" ]; }

@test "the folder of a job that ends with status 0 is removed" {
    job_in success --hora-requeue <<'END'
mkdir "$HORA_CHECKPOINT_DIR/step-1"
echo 1 >"$HORA_CHECKPOINT_DIR/step-1/shard"
echo "{}" >>"$HORA_PROGRESS"
srun sh -c 'echo "{}" >>"$HORA_PROGRESS"; cp "$HORA_PROGRESS" progress'
END
    wait_for_job "$job" COMPLETED
    wait_for is_gone_for_good
    assert_equal "$(wc -l <"$place/progress")" 2
}

@test "the folder of a job that fails stays" {
    job_in failure --hora-requeue <<'END'
echo "{}" >>"$HORA_PROGRESS"
exit 3
END
    wait_for_job "$job" FAILED
    assert_equal "$(cat "$(folder)/progress.jsonl")" "{}"
}

@test "a job that writes nothing leaves nothing, however it ends" {
    job_in nothing --hora-requeue <<'END'
exit 3
END
    wait_for_job "$job" FAILED
    wait_for is_gone_for_good
    job_in cancelled --hora-requeue <<'END'
touch runs
sleep 600
END
    wait_for test -e "$place/runs"
    as_user scancel "$job"
    wait_for_job "$job" CANCELLED
    wait_for is_gone_for_good
    job_in followed --hora-batch=64 <<'END'
exit 3
END
    wait_for_job "$job" FAILED
    wait_for is_gone_for_good
}

@test "a job that ends at once on a busy node leaves nothing" {
    local number busy=()
    for number in $(seq "$(nproc)"); do
        timeout 60 sh -c 'while :; do :; done' 3>&- &
        busy+=($!)
    done
    for number in $(seq 8); do
        job_in "busy$number" --hora-batch=64 <<'END'
exit 3
END
        wait_for_job "$job" FAILED
        wait_for is_gone_for_good
    done
    kill "${busy[@]}"
}

@test "a folder that the user has chosen stays" {
    as_user mkdir "$work/chosen" "$work/chosen/mine"
    export HORA_CHECKPOINT_DIR=$work/chosen/mine
    job_in chosen --hora-requeue <<'END'
echo "{}" >>"$HORA_PROGRESS"
END
    unset HORA_CHECKPOINT_DIR
    wait_for_job "$job" COMPLETED
    assert_equal "$(folder)" "$place/mine"
    assert_equal "$(cat "$place/mine/progress.jsonl")" "{}"
}

@test "a link in place of the folder, or above it, leads to no removal" {
    job_in linked --hora-requeue <<'END'
mv "$(dirname "$HORA_CHECKPOINT_DIR")" real
ln -s real "$(dirname "$HORA_CHECKPOINT_DIR")"
echo "{}" >>"$HORA_PROGRESS"
END
    wait_for_job "$job" COMPLETED
    assert_equal "$(cat "$(folder)/progress.jsonl")" "{}"
    job_in target --hora-requeue <<'END'
mv "$HORA_CHECKPOINT_DIR" real
ln -s "$PWD/real" "$HORA_CHECKPOINT_DIR"
echo "{}" >>"$HORA_PROGRESS"
END
    wait_for_job "$job" COMPLETED
    assert_equal "$(cat "$(folder)/progress.jsonl")" "{}"
}

@test "a script that ends with status 0 since its job is requeued loses nothing" {
    job_in requeued --hora-requeue <<'END'
trap 'touch trapped; exit 0' TERM
echo "{}" >>"$HORA_PROGRESS"
touch "runs.${SLURM_RESTART_COUNT:-0}"
while [ "$SECONDS" -lt 120 ]; do sleep 0.1; done
END
    wait_for test -e "$place/runs.0"
    scontrol requeue "$job"
    wait_for test -e "$place/trapped"
    wait_for_job "$job" PENDING
    assert_equal "$(cat "$(folder)/progress.jsonl")" "{}"
    as_user scancel "$job"
    wait_for_job "$job" CANCELLED
    is_there
}

# old NAME: a folder of that name to which nothing was written for two hours.
old() {
    as_user mkdir -m 700 "$place/$shared/$1"
    as_user touch "$place/$shared/$1/progress.jsonl"
    as_user touch -d "2 hours ago" "$place/$shared/$1/progress.jsonl" "$place/$shared/$1"
}

@test "two users of one project folder each have a place of their own" {
    local user
    local -A jobs
    mkdir -m 1777 "$work/project"
    for user in "$tester" mail; do
        jobs[$user]=$(cd "$work/project" && as "$user" sbatch --parsable --output=/dev/null \
            --gres=gpu:1 --hora-requeue --wrap 'echo "$HORA_CHECKPOINT_DIR" >"folder-$USER" &&
                touch "$HORA_CHECKPOINT_DIR/checkpoint" && exit 3')
    done
    for user in "$tester" mail; do
        wait_for_job "${jobs[$user]}" FAILED
        place=$(cat "$work/project/folder-$user")
        assert_equal "$(stat -c '%U %a' "$place" "$(dirname "$place")")" \
            "$(printf '%s 700\n%s 700' "$user" "$user")"
        [ -e "$place/checkpoint" ]
    done
}

@test "the next job to end removes folders of jobs that failed long ago" {
    local cluster waiting
    cluster=$(scontrol show config | sed -n 's/^ClusterName *= //p')
    waiting=$(as_user sbatch --parsable --hold --output=/dev/null --wrap true)
    place=$work/expired
    as_user mkdir "$place" "$place/$shared"
    old "$cluster-900001-1"
    old "$cluster-$waiting-1"
    old "other-900001-1"
    job_in expired --hora-requeue <<'END'
exit 3
END
    wait_for_job "$job" FAILED
    wait_for test ! -e "$place/$shared/$cluster-900001-1"
    test -e "$place/$shared/$cluster-$waiting-1/progress.jsonl"
    test -e "$place/$shared/other-900001-1/progress.jsonl"
    scancel "$waiting"
}
