# Run by scripts/check, not by `make check`: they need root and a minute each.
EXTRA_DIST += \
	tests/e2e/cluster.bash \
	tests/e2e/devcluster.bats
EXTRA_DIST += \
	tests/e2e/calibrate.bats \
	tests/e2e/pytorch.bats \
	tests/e2e/trainer.bash \
	tests/e2e/trainer.bats
EXTRA_DIST += \
	tests/e2e/spank.bats \
	tests/e2e/spank.toml
EXTRA_DIST += tests/e2e/snapshot.bats
EXTRA_DIST += tests/e2e/submit.bats
EXTRA_DIST += \
	tests/e2e/command.bash \
	tests/e2e/commands.bats \
	tests/e2e/export_networks.py \
	tests/e2e/onnx.bats
