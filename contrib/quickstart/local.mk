EXTRA_DIST += \
	contrib/quickstart/nodes.toml \
	contrib/quickstart/train.sh
