libplanner_libplanner_la_SOURCES += \
	libplanner/domain/accounted_job.hpp \
	libplanner/domain/allreduce.hpp \
	libplanner/domain/cluster.hpp \
	libplanner/domain/data_type.hpp \
	libplanner/domain/decision.hpp \
	libplanner/domain/device.hpp \
	libplanner/domain/elastic.hpp \
	libplanner/domain/efficiency.hpp \
	libplanner/domain/fabric.hpp \
	libplanner/domain/layer_kind.hpp \
	libplanner/domain/mode_names.hpp \
	libplanner/domain/network.hpp \
	libplanner/domain/node_type.hpp \
	libplanner/domain/plan.hpp \
	libplanner/domain/plan_word.hpp \
	libplanner/domain/policy_constants.hpp \
	libplanner/domain/progress.hpp \
	libplanner/domain/rank_record.hpp \
	libplanner/domain/request.hpp \
	libplanner/domain/job_options.hpp \
	libplanner/domain/row_shares.hpp \
	libplanner/domain/job_trace.hpp \
	libplanner/domain/size_rule.hpp \
	libplanner/domain/snapshot.hpp \
	libplanner/domain/status.hpp \
	libplanner/domain/topology.hpp \
	libplanner/domain/workload.hpp
libplanner_libplanner_la_SOURCES += libplanner/domain/measured.hpp
