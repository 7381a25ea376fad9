#!/usr/bin/env bats
# When another controller takes over, and when the first one is back: does horad go with it, and
# with each resize that is under way?

load cluster
load controller
load elastic

# Two hosts on one machine: each slurmctld has an address of its own, and the second one, with its
# horad, a host name of its own.
setup_file() {
    local conf
    unshare --uts --mount true || skip "this needs the right to make namespaces"
    conf=$(mktemp /tmp/hora-failover.XXXXXX)
    cat >"$conf" <<END
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldHost=second(127.0.0.2)
CommunicationParameters=NoCtldInAddrAny
SlurmctldTimeout=3
END
    elastic_up fcfs --conf "$conf" || return 1
    rm -f "$conf"
    {
        cat /etc/hosts
        echo "127.0.0.2 second"
    } >"$CLUSTER_DIR/etc/hosts-second"
    # Files of its own; all else is shared.
    sed -e "s|/run/slurmctld.pid|/run/second.pid|" -e "s|/log/slurmctld.log|/log/second.log|" \
        "$SLURM_CONF" >"$CLUSTER_DIR/etc/second.conf"
    on_second slurmctld -f "$CLUSTER_DIR/etc/second.conf" >>"$CLUSTER_DIR/log/start.log" 2>&1
    HORA_CONF_HORAD_METRICS=$CLUSTER_DIR/state/first.prom start_horad
    HORA_CONF_HORAD_METRICS=$CLUSTER_DIR/state/second.prom on_second "$HORA_BUILD/horad" \
        >>"$CLUSTER_DIR/log/horad-second.log" 2>&1 &
}
teardown_file() { cluster_down; }
setup() { cd "$work" || return 1; }
teardown() { [ "${BATS_TEST_COMPLETED:-}" = 1 ] || print_logs; }

# on_second COMMAND…: as if on the other controller's host.
on_second() {
    env DEVCLUSTER="$CLUSTER_DIR" setsid unshare --uts --mount sh -c \
        'mount --bind "$0" /etc/hosts && hostname second && exec "$@"' \
        "$CLUSTER_DIR/etc/hosts-second" "$@" </dev/null 3>&-
}

# acts LOG: by the newest word of its horad.
acts() {
    grep -e "acts, and so does horad" -e "nothing is done here" "$CLUSTER_DIR/log/$1.log" |
        tail -n 1 | grep -q "so does horad"
}
stands_by() { grep -qx "hora_acting 0" "$CLUSTER_DIR/state/$1.prom"; }

is_saved() { [ "$CLUSTER_DIR/state/job_state" -nt "$1" ]; }

@test "a resize that is under way goes on where another controller takes over, and back again" {
    wait_for grep -q "the slurmctld of \"$(hostname -s)\" acts" "$CLUSTER_DIR/log/horad-second.log"
    wait_for stands_by second
    # Of the cluster one daemon speaks.
    assert_equal "$(grep -c "^hora_gpus" "$CLUSTER_DIR/state/second.prom")" 0
    job=$(pretend 1-2 600)
    wait_for_job "$job" RUNNING
    # On storage that both share, plans are left with whichever horad acts.
    word=$(job_field "$job" AdminComment)
    [[ $word =~ ^hora=[0-9a-f]+- ]] && [ ${#word} -le 120 ]
    touch "$work/runs"
    before=$(job_field "$job" NumTasks)
    after=$(other_size)
    wait_for is_saved "$work/runs"

    begin_resize "$job" "$after"
    kill -KILL "$(<"$CLUSTER_DIR/run/slurmctld.pid")"
    wait_for -t 60 acts horad-second
    wait_for stands_by first
    kill -CONT "$(pretender)"
    wait_for runs_on "$job" "$after"
    wait_for is_settled "$job"
    wait_for grep -qx "hora_acting 1" "$CLUSTER_DIR/state/second.prom"

    begin_resize "$job" "$before"
    env DEVCLUSTER="$CLUSTER_DIR" setsid slurmctld -f "$SLURM_CONF" </dev/null \
        >>"$CLUSTER_DIR/log/start.log" 2>&1 3>&-
    wait_for -t 60 acts horad
    wait_for stands_by second
    kill -CONT "$(pretender)"
    wait_for runs_on "$job" "$before"
    wait_for is_settled "$job"
    release_brake
    wait_for_job "$job" COMPLETED 120

    # No step lost, none done twice; and each resize once.
    find "$work" -name progress.jsonl -exec jq .step {} + | paste -sd ' ' >"$work/steps"
    assert_equal "$(<"$work/steps")" "$(seq -s " " 600)"
    assert_equal "$(job_field "$job" Restarts)" 2
    assert_equal "$(job_field "$job" AdminComment)" "$word"
    assert_contains "$(hora explain "$job")" "request     act: rewritten"
    assert_equal "$(hora history "$job" --json | jq '.rescales | length')" 2
    assert_nothing_left
}

@test "where the controllers share no storage, plans stay whole in the comment" {
    [ "$(stat -c %d /dev/shm)" != "$(stat -c %d "$CLUSTER_DIR/state")" ] ||
        skip "/dev/shm is on the disk of the cluster's state"
    state=$(mktemp -d /dev/shm/hora-failover.XXXXXX)
    mkdir "$state/plans"
    HORA_CONF_HORAD_STATE=$state HORA_CONF_HISTORY_PATH=$state/history.db HORA_CONF_HORAD_PORT=0 \
        run "$HORA_BUILD/horad" --once
    echo "$output"
    left=$(ls "$state")
    rm -r "$state"
    assert_contains "$output" "\"$state\" is not known to be shared by the controllers"
    assert_equal "$(grep -cx plans <<<"$left")" 0
}
