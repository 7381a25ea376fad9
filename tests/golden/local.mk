dist_check_SCRIPTS += tests/golden/check-golden tests/golden/check-manual tests/golden/check-picture
EXTRA_DIST += tests/golden/cluster
EXTRA_DIST += tests/golden/config
EXTRA_DIST += tests/golden/elastic
EXTRA_DIST += tests/golden/explain
EXTRA_DIST += tests/golden/history
EXTRA_DIST += tests/golden/model
EXTRA_DIST += tests/golden/plan
EXTRA_DIST += tests/golden/replay
EXTRA_DIST += tests/golden/ring
EXTRA_DIST += tests/golden/simulate
EXTRA_DIST += tests/golden/status
EXTRA_DIST += tests/golden/timeline
EXTRA_DIST += tests/golden/topology
EXTRA_DIST += tests/golden/usage

update-golden: hora tests/unit/report/report
	UPDATE_GOLDEN=1 srcdir='$(srcdir)' $(srcdir)/tests/golden/check-golden
	UPDATE_GOLDEN=1 srcdir='$(srcdir)' $(srcdir)/tests/golden/check-manual
	UPDATE_GOLDEN=1 srcdir='$(srcdir)' $(srcdir)/tests/golden/check-picture
	UPDATE_GOLDEN=1 srcdir='$(srcdir)' tests/unit/report/report
.PHONY: update-golden
