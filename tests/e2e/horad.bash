# What tests share that run the daemon on the private cluster.
#
#   use_free_port        for it: another daemon of this machine may hold the usual one
#   horad_up [OPTION…]   starts it and waits until it has written its files
#   horad_down           ends it, if it runs

horad=$root/build/horad
for build in "${HORA_BUILD:-}" "$PWD" "$root/build" "$root"; do
    if [ -x "$build/horad" ]; then
        horad=$build/horad
        break
    fi
done

horad_state=
horad_log=

use_free_port() {
    HORA_CONF_HORAD_PORT=$(python3 -c 'import socket
with socket.socket() as one:
    one.bind(("", 0))
    print(one.getsockname()[1])')
    export HORA_CONF_HORAD_PORT
}

# Ours to end with the rest of the cluster by its mark.
horad_up() {
    horad_state=$CLUSTER_DIR/state/hora
    horad_log=$CLUSTER_DIR/log/horad.log
    # The snapshot stays: a job that comes now is still planned.
    rm -f "$horad_state/status.json"
    env DEVCLUSTER="$CLUSTER_DIR" setsid "$horad" "$@" </dev/null >>"$horad_log" 2>&1 3>&- &
    disown
    wait_for test -s "$horad_state/snapshot.json"
    wait_for test -s "$horad_state/status.json"
}

horad_pid() {
    cat "$CLUSTER_DIR/state/hora/horad.$(hostname).lock"
}

horad_down() {
    local pid
    pid=$(horad_pid) || return 0
    kill "$pid" 2>/dev/null || return 0
    wait_for is_gone "$pid"
}

horad_lines() {
    grep -c -e "$1" "$CLUSTER_DIR/log/horad.log" || true
}

# horad_says PATTERN [TIMES]: at least so often by now.
horad_says() {
    [ "$(horad_lines "$1")" -ge "${2:-1}" ]
}

# status_field EXPRESSION: of status.json as `d`, in Python.
status_field() {
    python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' \
        "$CLUSTER_DIR/state/hora/status.json" "$1"
}
