# Needs neither MPI nor Slurm; what carries it by MPI is compiled with the program that uses it.
noinst_LTLIBRARIES += plugins/mpi/allreduce/liballreduce.la
allreduce_sources = \
	plugins/mpi/allreduce/algorithm.hpp \
	plugins/mpi/allreduce/allreduce.cpp \
	plugins/mpi/allreduce/allreduce.hpp \
	plugins/mpi/allreduce/bypass.cpp \
	plugins/mpi/allreduce/bypass.hpp \
	plugins/mpi/allreduce/kernel.cpp \
	plugins/mpi/allreduce/kernel.hpp \
	plugins/mpi/allreduce/layout.hpp \
	plugins/mpi/allreduce/levels.cpp \
	plugins/mpi/allreduce/levels.hpp \
	plugins/mpi/allreduce/message.cpp \
	plugins/mpi/allreduce/message.hpp \
	plugins/mpi/allreduce/pace.cpp \
	plugins/mpi/allreduce/pace.hpp \
	plugins/mpi/allreduce/ring.cpp \
	plugins/mpi/allreduce/ring.hpp \
	plugins/mpi/allreduce/route.cpp \
	plugins/mpi/allreduce/route.hpp \
	plugins/mpi/allreduce/thread_worker.cpp \
	plugins/mpi/allreduce/thread_worker.hpp \
	plugins/mpi/allreduce/transport.hpp \
	plugins/mpi/allreduce/worker.cpp \
	plugins/mpi/allreduce/worker.hpp
plugins_mpi_allreduce_liballreduce_la_SOURCES = $(allreduce_sources)

# Which rows of a table of gradients are exchanged; needs no MPI either.
noinst_LTLIBRARIES += plugins/mpi/sampling/libsampling.la
plugins_mpi_sampling_libsampling_la_SOURCES = \
	plugins/mpi/sampling/packed_rows.cpp \
	plugins/mpi/sampling/packed_rows.hpp \
	plugins/mpi/sampling/row_choice.cpp \
	plugins/mpi/sampling/row_choice.hpp

mpi_transport_sources = plugins/mpi/mpi_transport.cpp plugins/mpi/mpi_transport.hpp
EXTRA_DIST += $(mpi_transport_sources)

# Preloaded into MPI programs; exports what it intercepts. For the MPI that it was built with.
if HAVE_MPI
# For programs that ask for it in their own words.
pkginclude_HEADERS += plugins/mpi/hora_allreduce.hpp
pkglib_LTLIBRARIES += plugins/mpi/preload/libhora_mpi.la
endif
plugins_mpi_preload_libhora_mpi_la_SOURCES = $(mpi_transport_sources) \
	plugins/mpi/preload/calls.cpp \
	plugins/mpi/preload/calls.hpp \
	plugins/mpi/preload/choice.cpp \
	plugins/mpi/preload/choice.hpp \
	plugins/mpi/preload/datatype.cpp \
	plugins/mpi/preload/datatype.hpp \
	plugins/mpi/preload/described.cpp \
	plugins/mpi/preload/described.hpp \
	plugins/mpi/preload/device_memory.cpp \
	plugins/mpi/preload/device_memory.hpp \
	plugins/mpi/preload/engine.cpp \
	plugins/mpi/preload/engine.hpp \
	plugins/mpi/preload/environment.cpp \
	plugins/mpi/preload/fortran.cpp \
	plugins/mpi/preload/fortran_status.hpp \
	plugins/mpi/preload/next.hpp \
	plugins/mpi/preload/presence.cpp \
	plugins/mpi/preload/presence.hpp \
	plugins/mpi/preload/recorded.cpp \
	plugins/mpi/preload/recorded.hpp \
	plugins/mpi/preload/recorded_fortran.cpp \
	plugins/mpi/preload/reduction.cpp \
	plugins/mpi/preload/reduction.hpp \
	plugins/mpi/preload/session.cpp \
	plugins/mpi/preload/session.hpp \
	plugins/mpi/record/lines.cpp \
	plugins/mpi/record/lines.hpp \
	plugins/mpi/record/pending_calls.hpp \
	plugins/mpi/record/progress_tail.cpp \
	plugins/mpi/record/progress_tail.hpp \
	plugins/mpi/record/record_file.cpp \
	plugins/mpi/record/record_file.hpp \
	plugins/mpi/record/recorder.cpp \
	plugins/mpi/record/recorder.hpp \
	plugins/mpi/world_ranks.cpp \
	plugins/mpi/world_ranks.hpp
plugins_mpi_preload_libhora_mpi_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
plugins_mpi_preload_libhora_mpi_la_LDFLAGS = $(HORA_LDFLAGS) -module -avoid-version -shared \
	-Wl,--version-script=$(srcdir)/plugins/mpi/preload/exports.map
plugins_mpi_preload_libhora_mpi_la_LIBADD = plugins/mpi/allreduce/liballreduce.la $(MPI_LIBS) -ldl
plugins_mpi_preload_libhora_mpi_la_DEPENDENCIES = plugins/mpi/allreduce/liballreduce.la \
	plugins/mpi/preload/exports.map
EXTRA_DIST += plugins/mpi/preload/exports.map
