# Starts a private cluster's daemons, and finds and ends every process that belongs to it.
# Sourced by devcluster; uses its `dir`, `name`, `accounting`, `cgroups`.
#
# Each daemon carries DEVCLUSTER=<folder> in its environment. A process is ours if /proc says that
# it carries this mark, or that it is a job of this slurm.conf: that holds after any crash and does
# not trust a pid file, whose number may have been given to somebody else.

limit=60 # seconds to wait for a daemon

# The process ids of the cluster's daemons and jobs, one a line. SLURMD_NODENAME distinguishes a
# job's process from a person's salloc, which knows the job id too.
our_processes() {
    local file
    { grep -lszxF "DEVCLUSTER=$dir" /proc/[0-9]*/environ || true; } | tr -dc '0-9\n'
    { grep -lszxF "SLURM_CONF=$dir/etc/slurm.conf" /proc/[0-9]*/environ || true; } |
        while read -r file; do
            if grep -qsz '^SLURMD_NODENAME=' "$file"; then
                tr -dc '0-9\n' <<<"$file"
            fi
        done
}

# wait_until WHAT COMMAND…: polls until the command succeeds.
wait_until() {
    local what=$1 deadline=$((SECONDS + limit))
    shift
    until "$@" >/dev/null 2>&1; do
        if [ "$SECONDS" -ge "$deadline" ]; then
            printf 'devcluster: waited %d s in vain for %s\n' "$limit" "$what" >&2
            return 1
        fi
        sleep 0.05
    done
}

# Starts a daemon with our mark, without our lock, without our terminal. The first argument is an
# option for setsid if the daemon does not go to the background by itself.
start() {
    env DEVCLUSTER="$dir" SLURM_CONF="$dir/etc/slurm.conf" HORA_CONF="$dir/etc/hora.toml" \
        setsid "$@" </dev/null >>"$dir/log/start.log" 2>&1 9<&-
}

# In a mount namespace of its own a node daemon and its jobs see node names in /etc/hosts; the
# namespace goes when they go. Without the right to make one, names stay unknown.
can_map_hosts() {
    unshare --mount sh -c "mount --bind '$dir/etc/hosts' /etc/hosts" 2>/dev/null
}

start_munge() {
    head -c 1024 /dev/urandom >"$dir/etc/munge.key"
    chmod 400 "$dir/etc/munge.key"
    start munged --force --key-file="$dir/etc/munge.key" --socket="$dir/run/munge.socket" \
        --pid-file="$dir/run/munged.pid" --log-file="$dir/log/munged.log" \
        --seed-file="$dir/run/munged.seed"
    wait_until "munge" munge --socket="$dir/run/munge.socket" --no-input
}

start_nodes() {
    local node cgroup=
    local -a inside=()
    if can_map_hosts; then
        [ "$cgroups" = no ] || cgroup=$(cgroup_name)
        inside=("$here/dev/node-view" "$dir/etc/hosts" "$cgroup")
    elif [ "$cgroups" = yes ]; then
        fail "no right to make namespaces, which '--cgroups' needs"
    else
        printf 'devcluster: no right to map /etc/hosts: jobs cannot look up node names\n' >&2
    fi
    while read -r node; do
        start "${inside[@]}" slurmd -f "$dir/etc/slurm.conf" -N "$node"
    done <"$dir/etc/nodes"
}

all_nodes_idle() {
    local states
    states=$(sinfo --noheader --Node --format='%N %T' | sort -u)
    [ "$(wc -l <<<"$states")" -eq "$(wc -l <"$dir/etc/nodes")" ] && ! grep -qv ' idle$' <<<"$states"
}

start_daemons() {
    export SLURM_CONF=$dir/etc/slurm.conf
    start_munge
    if [ "$accounting" = yes ]; then
        start_accounting
    fi
    start slurmctld -c -f "$dir/etc/slurm.conf"
    wait_until "slurmctld" sh -c 'scontrol ping | grep -q "is UP"'
    start_nodes
    wait_until "the nodes" all_nodes_idle
}

# Its settings name a folder of the cluster, or this would wait in vain.
start_horad() {
    local state=$dir/state/hora
    start --fork sh -c 'exec "$0/bin/horad" >>"$0/log/horad.log" 2>&1' "$dir"
    wait_until "horad, which writes to its folder (setting horad.state)" \
        test -s "$state/status.json" -a -s "$state/snapshot.json"
}

# The last words of each log, to find out why.
show_logs() {
    local log
    for log in "$dir"/log/*.log; do
        [ -s "$log" ] || continue
        printf -- '--- %s\n' "$log" >&2
        tail -n 15 "$log" >&2
    done
}

# Jobs first, so that their processes get a proper end; then daemons; then whatever is left.
end_processes() {
    local deadline=$((SECONDS + 5))
    if [ -e "$dir/etc/slurm.conf" ] && [ -n "$(our_processes)" ]; then
        (
            export SLURM_CONF=$dir/etc/slurm.conf
            timeout 5 squeue --noheader --states=RUNNING --format=%A |
                timeout 5 xargs --no-run-if-empty scancel --full --signal=KILL
        ) >/dev/null 2>&1 || true
    fi
    signal_all TERM
    while [ -n "$(our_processes)" ]; do
        if [ "$SECONDS" -ge "$deadline" ]; then
            signal_all KILL
        fi
        [ "$SECONDS" -lt $((deadline + 60)) ] ||
            fail "processes of the cluster in \"$dir\" do not end, though they were killed"
        sleep 0.1
    done
}

signal_all() {
    local pid
    for pid in $(our_processes | sort -u); do
        kill "-$1" "$pid" 2>/dev/null || true
    done
}
