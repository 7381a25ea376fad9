noinst_LTLIBRARIES += libplanner/cost/libcost.la
libplanner_cost_libcost_la_SOURCES = \
	libplanner/cost/exchange.cpp \
	libplanner/cost/exchange.hpp \
	libplanner/cost/formats.cpp \
	libplanner/cost/formats.hpp \
	libplanner/cost/fusion.cpp \
	libplanner/cost/fusion.hpp \
	libplanner/cost/interval.cpp \
	libplanner/cost/interval.hpp \
	libplanner/cost/late_rank.cpp \
	libplanner/cost/late_rank.hpp \
	libplanner/cost/memory.cpp \
	libplanner/cost/memory.hpp \
	libplanner/cost/roofline.cpp \
	libplanner/cost/roofline.hpp \
	libplanner/cost/sampled_gradient.cpp \
	libplanner/cost/sampled_gradient.hpp \
	libplanner/cost/server.cpp \
	libplanner/cost/server.hpp \
	libplanner/cost/step.cpp \
	libplanner/cost/step.hpp
libplanner_cost_libcost_la_SOURCES += \
	libplanner/cost/calibration.cpp \
	libplanner/cost/calibration.hpp \
	libplanner/cost/ratio_fit.cpp \
	libplanner/cost/ratio_fit.hpp
libplanner_cost_libcost_la_SOURCES += libplanner/cost/measured.cpp libplanner/cost/measured.hpp
libplanner_cost_libcost_la_SOURCES += \
	libplanner/cost/correction.cpp \
	libplanner/cost/correction.hpp \
	libplanner/cost/measured_table.cpp \
	libplanner/cost/measured_table.hpp \
	libplanner/cost/rescale_cost.cpp \
	libplanner/cost/rescale_cost.hpp
