check_PROGRAMS += tests/unit/plan/plan
tests_unit_plan_plan_SOURCES = \
	tests/unit/plan/brute_force.cpp \
	tests/unit/plan/brute_force.hpp \
	tests/unit/plan/choose.cpp \
	tests/unit/plan/gpu_sets.cpp \
	tests/unit/plan/gpu_sets.hpp \
	tests/unit/plan/memory_remark.cpp \
	tests/unit/plan/node_fit.cpp \
	tests/unit/plan/papers.cpp \
	tests/unit/plan/pick.cpp \
	tests/unit/plan/place.cpp \
	tests/unit/plan/price/alike_units.cpp \
	tests/unit/plan/price/async.cpp \
	tests/unit/plan/price/async_curve.cpp \
	tests/unit/plan/price/balanced.cpp \
	tests/unit/plan/price/curve.cpp \
	tests/unit/plan/price/field.cpp \
	tests/unit/plan/price/free_gpus.cpp \
	tests/unit/plan/price/pricing.cpp \
	tests/unit/plan/price/search_limit.cpp \
	tests/unit/plan/price/set_link.cpp \
	tests/unit/plan/price/shares.cpp \
	tests/unit/plan/price/some_nodes.cpp \
	tests/unit/plan/price/spots.cpp \
	tests/unit/plan/priced.hpp \
	tests/unit/plan/random_case.cpp \
	tests/unit/plan/random_case.hpp \
	tests/unit/plan/rejected.cpp \
	tests/unit/plan/request.cpp \
	tests/unit/plan/ring/large_ring.cpp \
	tests/unit/plan/ring/link_table.cpp \
	tests/unit/plan/ring/machine_difference.cpp \
	tests/unit/plan/ring/node_order.cpp \
	tests/unit/plan/ring/p4_box.hpp \
	tests/unit/plan/ring/predicted_ring.cpp \
	tests/unit/plan/ring/ring.cpp \
	tests/unit/plan/ring/ring_search.cpp \
	tests/unit/plan/ring/ring_verdict.cpp \
	tests/unit/plan/second_choice.cpp \
	tests/unit/plan/socket_split.cpp \
	tests/unit/plan/weigh.cpp \
	tests/unit/plan/whole_nodes.cpp
tests_unit_plan_plan_CPPFLAGS = $(unit_cppflags)
tests_unit_plan_plan_LDADD = $(up_to_plan) $(unit_libraries)
