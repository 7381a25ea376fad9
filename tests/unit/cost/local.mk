check_PROGRAMS += tests/unit/cost/cost
tests_unit_cost_cost_SOURCES =
tests_unit_cost_cost_CPPFLAGS = $(unit_cppflags)
tests_unit_cost_cost_LDADD = $(up_to_cost) $(unit_libraries)

tests_unit_cost_cost_SOURCES += tests/unit/cost/calibration.cpp
tests_unit_cost_cost_SOURCES += tests/unit/cost/exchange.cpp tests/unit/cost/formats.cpp \
	tests/unit/cost/forward_time.hpp tests/unit/cost/fusion.cpp \
	tests/unit/cost/interval.cpp tests/unit/cost/late_rank.cpp tests/unit/cost/measured.cpp \
	tests/unit/cost/memory.cpp tests/unit/cost/roofline.cpp tests/unit/cost/sampled_gradient.cpp \
	tests/unit/cost/server.cpp \
	tests/unit/cost/step.cpp
tests_unit_cost_cost_SOURCES += tests/unit/cost/correction.cpp tests/unit/cost/measured_table.cpp \
	tests/unit/cost/rescale_cost.cpp
tests_unit_cost_cost_SOURCES += tests/unit/cost/ratio_fit.cpp
