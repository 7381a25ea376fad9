# What the plugins may load (no ONNX, no hwloc, no SQLite), and beside it what only commands and
# the daemon link: readers, elasticity and the simulator.
noinst_LTLIBRARIES += libplanner/libplanner.la libplanner/libreaders.la libplanner/libelastic.la
libplanner_libplanner_la_SOURCES =
libplanner_libplanner_la_LIBADD = $(FMT_LIBS)
libplanner_libreaders_la_SOURCES =
libplanner_libreaders_la_CPPFLAGS = $(AM_CPPFLAGS)
libplanner_libreaders_la_LIBADD = libplanner/libplanner.la
libplanner_libelastic_la_SOURCES =
libplanner_libelastic_la_LIBADD = libplanner/libplanner.la

include libplanner/base/local.mk
include libplanner/domain/local.mk
include libplanner/model/local.mk
include libplanner/read/local.mk
include libplanner/cost/local.mk
include libplanner/plan/local.mk
include libplanner/elastic/local.mk
include libplanner/sim/local.mk
include libplanner/report/local.mk
