# Each folder has a library of its own, so that a test builds those up to its folder and no more.
# These gather them: what the plugins may load (no ONNX, no hwloc, no SQLite, no pugixml), and beside it what only
# commands and the daemon link: readers, elasticity, the simulator and records of calls. What links one of the last
# two names libplanner.la after it.
noinst_LTLIBRARIES += libplanner/libplanner.la libplanner/libreaders.la libplanner/libelastic.la
libplanner_libplanner_la_SOURCES =
libplanner_libplanner_la_LIBADD = libplanner/report/libreport.la libplanner/report/libformats.la \
	$(up_to_request) $(FMT_LIBS)
libplanner_libplanner_la_LINK = $(CXXLINK)
libplanner_libreaders_la_SOURCES =
libplanner_libreaders_la_CPPFLAGS = $(AM_CPPFLAGS)
libplanner_libreaders_la_LIBADD =
libplanner_libelastic_la_SOURCES =
libplanner_libelastic_la_LIBADD = libplanner/trace/libtrace.la libplanner/sim/libsim.la \
	libplanner/elastic/libelastic.la

# In the order of linking, each with those that it uses.
up_to_base = libplanner/base/libbase.la
up_to_model = libplanner/model/libmodel.la $(up_to_base)
up_to_read = libplanner/read/libread.la $(up_to_model)
up_to_cost = libplanner/cost/libcost.la $(up_to_read)
up_to_plan = libplanner/plan/libplan.la $(up_to_cost)
up_to_request = libplanner/request/librequest.la $(up_to_plan)
up_to_elastic = libplanner/elastic/libelastic.la $(up_to_plan)
up_to_sim = libplanner/sim/libsim.la $(up_to_elastic)
up_to_trace = libplanner/trace/libtrace.la $(up_to_base)

include libplanner/base/local.mk
include libplanner/domain/local.mk
include libplanner/model/local.mk
include libplanner/read/local.mk
include libplanner/cost/local.mk
include libplanner/plan/local.mk
include libplanner/request/local.mk
include libplanner/elastic/local.mk
include libplanner/sim/local.mk
include libplanner/trace/local.mk
include libplanner/report/local.mk
