# The cgroups of a private cluster: one below each controller of the machine, removed with the
# cluster. Sourced by devcluster; uses its `dir` and `cgroups`.

# Slurm 22.05 and this script know the first version: a folder a controller.
cgroup_controllers=(cpu cpuacct cpuset devices freezer memory)

# Equal for equal folders, so that `down` finds what a crash left.
cgroup_name() {
    printf 'devcluster%s' "${dir//\//-}"
}

# Each cluster has a mount namespace of its own, in which its cgroups are all there are.
has_cgroups() {
    local controller
    unshare --mount true 2>/dev/null || return
    for controller in "${cgroup_controllers[@]}"; do
        [ -w "/sys/fs/cgroup/$controller/cgroup.procs" ] || return 1
    done
}

make_cgroups() {
    local controller folder file
    for controller in "${cgroup_controllers[@]}"; do
        folder=/sys/fs/cgroup/$controller/$(cgroup_name)
        mkdir "$folder" 2>/dev/null || return 1
        # Empty, these let no process in.
        for file in cpuset.cpus cpuset.mems; do
            [ ! -e "$folder/$file" ] || cat "${folder%/*}/$file" >"$folder/$file" || return 1
        done
    done
}

# Once every process of the cluster has ended, as far as marks and jobs show.
remove_cgroups() {
    local folder deadline=$((SECONDS + 10))
    for folder in /sys/fs/cgroup/*/"$(cgroup_name)"; do
        [ -d "$folder" ] || continue
        until find "$folder" -depth -type d -exec rmdir {} + 2>/dev/null; do
            [ "$SECONDS" -lt "$deadline" ] || break
            find "$folder" -name cgroup.procs -exec cat {} + 2>/dev/null |
                xargs --no-run-if-empty kill -KILL 2>/dev/null || true
            sleep 0.05
        done
        [ ! -d "$folder" ] || printf 'devcluster: "%s" cannot be removed\n' "$folder" >&2
    done
}
