#!/usr/bin/env bats
# Does `hora model` count the networks that PyTorch exports as PyTorch and a reader do?

load cluster
load command

setup() {
    scratch
    python=/usr/bin/python3
    "$python" -c 'import torch' 2>/dev/null || skip "PyTorch is not installed (python3-torch)"
    "$hora" model nothing.onnx 2>&1 | grep -q 'built without ONNX' && skip "built without ONNX"
    "$python" "$BATS_TEST_DIRNAME/export_networks.py" "$scratch" >counted 2>errors || {
        cat errors
        return 1
    }
}
teardown() { clean; }

@test "parameters and multiply-adds of exported networks are exact" {
    while read -r name parameters mac; do
        run "$hora" model "$name.onnx" --batch 3 --json
        assert_equal "$status" 0
        assert_equal "$name $(jq -r '"\(.parameters) \(.mac)"' <<<"$output")" \
            "$name $parameters $((3 * mac))"
    done <counted
    assert_equal "$(wc -l <counted)" 12
}
