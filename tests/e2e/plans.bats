#!/usr/bin/env bats
# Does each job carry a short word only, and is its whole plan found, whatever has died or is missing?

load cluster
load controller
load horad

setup_file() {
    local conf
    command -v jq >/dev/null || skip "no jq; install it with scripts/install-packages test"
    conf=$(mktemp)
    echo MinJobAge=5 >"$conf"
    sed '/^mode = /s/observe/act/' "$root/tests/e2e/horad.toml" >"$conf.toml"
    cluster_up --accounting --conf "$conf" --settings "$conf.toml"
    rm "$conf" "$conf.toml"
    horad_up
    wait_for plans_are_left
}

teardown_file() {
    horad_down
    cluster_down
}

setup() {
    cd "$work" || return 1
    model=(--hora-model=resnet18 --hora-batch=32 --hora-samples=32000 --hora-epochs=1)
    spool=$CLUSTER_DIR/state/hora/plans
    # A test that failed may have left none.
    kill -0 "$(horad_pid)" 2>/dev/null || horad_up
}

teardown() {
    [ "${BATS_TEST_COMPLETED:-}" = 1 ] || { print_logs && tail -n 30 "$CLUSTER_DIR/log/horad.log"; }
    scancel --user=root
    wait_for nothing_left
}

# Is a plan left with horad by now, and not in the comment?
plans_are_left() {
    local job
    job=$(sbatch --parsable -H -o /dev/null --hora-model=resnet18 --hora-batch=32 --hora-gpus=2-2 \
        --wrap true)
    scontrol -o show job "$job" >"$work/probe"
    scancel "$job"
    grep -q "AdminComment=hora=[0-9a-f]" "$work/probe"
}

# comment JOB: all of it, with its blanks.
comment() {
    scontrol show job "$1" | sed -n 's/^ *AdminComment=\(.*[^ ]\) *$/\1/p'
}

is_short() {
    local word
    word=$(comment "$1")
    [[ $word =~ ^hora=[0-9a-f]+-[0-9a-f]+,act,2x[a-z0-9_-]+,1n,sync,step= ]] && [ ${#word} -le 120 ] ||
        { echo "the comment is: $word" && return 1; }
}

is_whole() {
    assert_contains "$(comment "$1")" 'hora={"version":1,'
}

# All that the short word leaves out.
is_explained() {
    run hora explain "$1"
    assert_equal "$status" 0
    assert_contains "$output" "options     --hora-model=resnet18 --hora-batch=32"
    assert_contains "$output" "rejected    "
    assert_contains "$output" "request     act: rewritten"
}

# What was printed, but for what horad thinks of the job at this moment.
without_news() {
    grep -v "^unchanged " <<<"$output"
}

nothing_waits() {
    [ -z "$(ls -A "$spool")" ]
}

kill_horad() {
    local pid
    pid=$(horad_pid)
    kill -KILL "$pid"
    wait_for is_gone "$pid"
}

# rows KEY: in the history.
rows() {
    python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM plans WHERE key = ?",
                                           sys.argv[2:]).fetchone()[0])' \
        "$CLUSTER_DIR/state/hora/history.db" "$1"
}

# key JOB: of its plan.
key() {
    comment "$1" | grep -o 'hora=[0-9a-f-]*' | cut -d = -f 2
}

@test "a job carries a short word, and explain shows all of it to every user" {
    job=$(held "${model[@]}" --hora-gpus=2-2)
    is_short "$job"
    is_explained "$job"
    wait_for nothing_waits
    assert_equal "$(rows "$(key "$job")")" 1
    is_explained "$job"
    before=$(without_news)
    run as_user hora explain "$job"
    assert_equal "$(without_news)" "$before"
    assert_equal "$(hora explain "$job" --json | jq -r '.is_brief, .plan.gpus' | paste -sd ' ')" \
        "null 2"
    assert_equal "$(status_field "[j['gpus'] for j in d['jobs'] if j['id'] == $job]" | wc -l)" 1
}

@test "jobs that are submitted while horad is stopped are explained, then and later" {
    horad_down
    job=$(held "${model[@]}" --hora-gpus=2-2)
    is_short "$job"
    assert_equal "$(ls "$spool")" "$(key "$job")"
    is_explained "$job"
    before=$(without_news)
    restart_controller
    other=$(held "${model[@]}" --hora-gpus=2-2 --hora-sizes=any)
    is_short "$other"
    horad_up
    wait_for nothing_waits
    is_explained "$job"
    assert_equal "$(without_news)" "$before"
    is_explained "$other"
    wait_for known_to_horad "$job"
    wait_for known_to_horad "$other"
}

known_to_horad() {
    [ "$(status_field "[j['id'] for j in d['jobs']].count($1)")" = 1 ]
}

@test "horad that is killed between taking a plan and removing it takes it once" {
    horad_down
    job=$(held "${model[@]}" --hora-gpus=2-2)
    cp -a "$spool/$(key "$job")" kept
    horad_up
    wait_for nothing_waits
    kill_horad
    mv kept "$spool/$(key "$job")"
    # One half written, as by a slurmctld that was killed.
    head -c 50 "$spool/$(key "$job")" >"$spool/1a.new"
    horad_up
    wait_for test ! -e "$spool/$(key "$job")"
    assert_equal "$(rows "$(key "$job")")" 1
    assert_equal "$(ls "$spool")" 1a.new
    rm "$spool/1a.new"
    is_explained "$job"
}

@test "what others write into the comment stays, and the plan is found beside it" {
    job=$(held "${model[@]}" --hora-gpus=2-2)
    wait_for nothing_waits
    is_explained "$job"
    before=$(without_news)
    word=$(comment "$job")
    scontrol update JobId="$job" AdminComment="JS1:H4sIAAAA= $word ticket=12"
    is_explained "$job"
    assert_equal "$(without_news)" "$before"
    wait_for known_to_horad "$job"
    assert_equal "$(comment "$job")" "JS1:H4sIAAAA= $word ticket=12"
}

@test "where plans cannot be left they stay whole in the comment, which is logged once" {
    wait_for nothing_waits
    horad_down
    mv "$spool" "$spool.away"
    logged=$(log_lines "plans stay whole in AdminComment")
    old=$(held "${model[@]}" --hora-gpus=2-2)
    is_whole "$old"
    is_explained "$old"
    touch "$spool"
    is_whole "$(held "${model[@]}" --hora-gpus=2-2)"
    is_whole "$(held "${model[@]}" --hora-gpus=2-2 --hora-sizes=any)"
    # The folder was missing, then it was none.
    assert_equal "$(log_lines "plans stay whole in AdminComment")" "$((logged + 2))"
    rm "$spool"
    mv "$spool.away" "$spool"
    # The same request in the same second would get the same word.
    is_short "$(held "${model[@]}" --hora-gpus=2-2 --hora-sizes=2)"
    horad_up
    wait_for known_to_horad "$old"
    is_explained "$old"
}

@test "a host without the history shows what the word holds, and says where the rest is" {
    job=$(held "${model[@]}" --hora-gpus=2-2 --hora-sizes=powers)
    is_short "$job"
    wait_for nothing_waits
    export HORA_CONF_HORAD_STATE=/nowhere HORA_CONF_HISTORY_PATH=/nowhere/history.db
    run hora explain "$job"
    assert_equal "$status" 0
    assert_contains "$output" "hora: the whole plan of job $job is in horad's database on the"
    assert_contains "$output" "plan        2 x "
    assert_contains "$output" " on 1 node, sync: "
    assert_equal "$(hora explain "$job" --json 2>/dev/null | jq -r '.is_brief, .plan.gpus, .key' |
        paste -sd ' ')" "true 2 $(key "$job")"
}

@test "a job that the controller has forgotten is explained by the word in the accounting" {
    job=$(submit "${model[@]}" --hora-gpus=2-2 --wrap true)
    wait_for_job "$job" COMPLETED
    is_explained "$job"
    without_news | sed 1d >known
    wait_for is_forgotten "$job"
    is_explained "$job"
    assert_equal "$(without_news | sed 1d)" "$(<known)"
}

@test "a job whose plan is lost runs on, which is logged once" {
    job=$(submit "${model[@]}" --hora-gpus=2-2 --hora-elastic --wrap "sleep 600")
    wait_for_job "$job" RUNNING
    wait_for nothing_waits
    horad_down
    mv "$CLUSTER_DIR/state/hora/history.db" "$CLUSTER_DIR/state/hora/away.db"
    horad_up
    wait_for horad_says "the plans of 1 job, job $job the first, are not in the history"
    wait_for sh -c "hora status | grep -q 'the plans of 1 job'"
    first=$(status_field "d['written']")
    wait_for newer_status "$first"
    assert_equal "$(horad_lines "the plans of 1 job")" 1
    assert_equal "$(job_field "$job" JobState) $(job_field "$job" Restarts)" "RUNNING 0"
    horad_down
    mv "$CLUSTER_DIR/state/hora/away.db" "$CLUSTER_DIR/state/hora/history.db"
    horad_up
    is_explained "$job"
    wait_for known_to_horad "$job"
}

newer_status() {
    [ "$(status_field "d['written']")" -gt "$(($1 + 1))" ]
}

@test "plans that no horad takes pile up to a bound, and are taken in the end" {
    horad_down
    job=$(held "${model[@]}" --hora-gpus=2-2)
    logged=$(log_lines "10000 plans wait there for horad")
    python3 -c 'import os, sys
for i in range(10000):
    os.link(sys.argv[1], f"{sys.argv[2]}/{i:x}-{i:010x}")' "$spool/$(key "$job")" "$spool"
    wait_for stays_whole
    wait_for stays_whole
    assert_equal "$(log_lines "10000 plans wait there for horad")" "$((logged + 1))"
    horad_up
    wait_for -t 120 nothing_waits
    assert_equal "$(rows 1-0000000001)" 1
    wait_for plans_are_left
    is_explained "$job"
}

stays_whole() {
    local job
    job=$(held "${model[@]}" --hora-gpus=2-2)
    scontrol -o show job "$job" >"$work/probe"
    scancel "$job"
    grep -qF 'AdminComment=hora={' "$work/probe"
}

@test "where jobs are private, so are their plans, and owners see what the word holds" {
    wait_for nothing_waits
    horad_down
    rm "$CLUSTER_DIR/state/hora/history.db"
    echo PrivateData=jobs >>"$SLURM_CONF"
    scontrol reconfigure
    horad_up
    assert_equal "$(stat -c %a "$spool")" 700
    job=$(as_user sbatch --parsable -H -o /dev/null "${model[@]}" --hora-gpus=2-2 --wrap true)
    is_short "$job"
    run as_user hora explain "$job"
    assert_equal "$status" 0
    assert_contains "$output" "the whole plan of job $job is in horad's database"
    assert_contains "$output" "plan        2 x "
    wait_for nothing_waits
    assert_equal "$(stat -c %a "$CLUSTER_DIR/state/hora/history.db")" 600
    is_explained "$job"
    sed -i '/^PrivateData=jobs$/d' "$SLURM_CONF"
    scontrol reconfigure
    scancel "$job"
}
