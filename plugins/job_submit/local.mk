EXTRA_DIST += plugins/job_submit/exports.map
