EXTRA_DIST += plugins/spank/exports.map
