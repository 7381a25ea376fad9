# What the tests of the commands share: the programs that were built, and a folder to run in.
#
#   load cluster
#   load command
#   setup() { scratch; }
#   teardown() { clean; }

for build in "${HORA_BUILD:-}" "$PWD" "$root/build" "$root"; do
    [ -x "$build/hora" ] && break
done
hora=$build/hora
reader=$build/hora-read-model

# Nothing of the site or of an outer job may reach the commands.
scratch() {
    scratch=$(mktemp -d /tmp/hora-command.XXXXXX)
    chmod 755 "$scratch"
    cd "$scratch" || return 1
    unset "${!HORA_@}"
    export HORA_CONF=/dev/null
}

clean() {
    cd /
    rm -rf "$scratch"
}
