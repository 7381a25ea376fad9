check_PROGRAMS += tests/unit/mpi/allreduce/allreduce
tests_unit_mpi_allreduce_allreduce_SOURCES = \
	tests/unit/any_number.hpp \
	tests/unit/mpi/allreduce/allreduce.cpp \
	tests/unit/mpi/allreduce/any_times.hpp \
	tests/unit/mpi/allreduce/bypass.cpp \
	tests/unit/mpi/allreduce/kernel.cpp \
	tests/unit/mpi/allreduce/layout.cpp \
	tests/unit/mpi/allreduce/levels.cpp \
	tests/unit/mpi/allreduce/message.cpp \
	tests/unit/mpi/allreduce/network.hpp \
	tests/unit/mpi/allreduce/pace.cpp \
	tests/unit/mpi/allreduce/postbox.hpp \
	tests/unit/mpi/allreduce/route.cpp \
	tests/unit/mpi/allreduce/thread_worker.cpp
tests_unit_mpi_allreduce_allreduce_CPPFLAGS = $(unit_cppflags)
tests_unit_mpi_allreduce_allreduce_LDADD = plugins/mpi/allreduce/liballreduce.la $(unit_libraries)

check_PROGRAMS += tests/unit/mpi/sampling/sampling
tests_unit_mpi_sampling_sampling_SOURCES = \
	tests/unit/any_number.hpp \
	tests/unit/mpi/sampling/packed_rows.cpp \
	tests/unit/mpi/sampling/row_choice.cpp
tests_unit_mpi_sampling_sampling_CPPFLAGS = $(unit_cppflags)
tests_unit_mpi_sampling_sampling_LDADD = plugins/mpi/sampling/libsampling.la $(unit_libraries)

if HAVE_MPI
check_PROGRAMS += tests/unit/mpi/broadcast_start tests/unit/mpi/mpi_transport tests/unit/mpi/races
endif
tests_unit_mpi_mpi_transport_SOURCES = tests/unit/mpi/four_ranks.hpp \
	tests/unit/mpi/mpi_transport.cpp $(mpi_transport_sources)
tests_unit_mpi_mpi_transport_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_unit_mpi_mpi_transport_LDADD = plugins/mpi/allreduce/liballreduce.la $(MPI_LIBS)
tests_unit_mpi_broadcast_start_SOURCES = \
	tests/unit/mpi/broadcast_start.cpp \
	tests/unit/mpi/four_ranks.hpp
tests_unit_mpi_broadcast_start_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_unit_mpi_broadcast_start_LDADD = $(MPI_LIBS)
tests_unit_mpi_races_SOURCES = tests/unit/mpi/four_ranks.hpp tests/unit/mpi/races.cpp $(mpi_transport_sources)
tests_unit_mpi_races_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_unit_mpi_races_LDADD = plugins/mpi/allreduce/liballreduce.la $(MPI_LIBS) $(FMT_LIBS)

# A program that knows nothing of Hora, with a profiling tool of its own. No wrapper starts it: what
# is preloaded into a shell leaves what that starts alone.
if HAVE_MPI
check_PROGRAMS += tests/unit/mpi/preload/choice tests/unit/mpi/preload/preload
check_LTLIBRARIES += tests/unit/mpi/preload/libfaults.la tests/unit/mpi/preload/libtool.la
endif
tests_unit_mpi_preload_libfaults_la_SOURCES = tests/unit/mpi/preload/faults.cpp
tests_unit_mpi_preload_libfaults_la_LDFLAGS = -shared -avoid-version -rpath /nonexistent
tests_unit_mpi_preload_libfaults_la_LIBADD = -ldl
tests_unit_mpi_preload_libtool_la_SOURCES = tests/unit/mpi/preload/tool.cpp
tests_unit_mpi_preload_libtool_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_unit_mpi_preload_libtool_la_LDFLAGS = -shared -avoid-version -rpath /nonexistent
tests_unit_mpi_preload_libtool_la_LIBADD = $(MPI_LIBS)
tests_unit_mpi_preload_preload_SOURCES = \
	tests/unit/mpi/four_ranks.hpp \
	tests/unit/mpi/preload/blocking.cpp \
	tests/unit/mpi/preload/preload.cpp \
	tests/unit/mpi/preload/program.hpp \
	tests/unit/mpi/preload/requests.cpp \
	tests/unit/mpi/preload/threads.cpp
tests_unit_mpi_preload_preload_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) \
	-DHORA_FAULTS='"$(abs_builddir)/tests/unit/mpi/preload/.libs/libfaults.so"' \
	-DHORA_LIBRARY='"$(abs_builddir)/plugins/mpi/preload/.libs/libhora_mpi.so"'
tests_unit_mpi_preload_preload_LDFLAGS = $(AM_LDFLAGS) -no-install
tests_unit_mpi_preload_preload_LDADD = tests/unit/mpi/preload/libtool.la $(MPI_LIBS) $(FMT_LIBS) -ldl
EXTRA_tests_unit_mpi_preload_preload_DEPENDENCIES = plugins/mpi/preload/libhora_mpi.la \
	tests/unit/mpi/preload/libfaults.la
tests_unit_mpi_preload_choice_SOURCES = tests/unit/mpi/preload/choice.cpp \
	plugins/mpi/preload/choice.cpp
tests_unit_mpi_preload_choice_CPPFLAGS = $(unit_cppflags) $(MPI_CFLAGS)
tests_unit_mpi_preload_choice_LDADD = plugins/mpi/allreduce/liballreduce.la $(MPI_LIBS) \
	$(unit_libraries)

# What the library makes of a call's arguments.
if HAVE_MPI
check_PROGRAMS += tests/unit/mpi/preload/arguments
endif
tests_unit_mpi_preload_arguments_SOURCES = \
	plugins/mpi/preload/datatype.cpp \
	plugins/mpi/preload/datatype.hpp \
	plugins/mpi/preload/described.cpp \
	plugins/mpi/preload/described.hpp \
	plugins/mpi/preload/device_memory.cpp \
	plugins/mpi/preload/device_memory.hpp \
	plugins/mpi/preload/reduction.cpp \
	plugins/mpi/preload/reduction.hpp \
	plugins/mpi/world_ranks.cpp \
	plugins/mpi/world_ranks.hpp \
	tests/unit/mpi/four_ranks.hpp \
	tests/unit/mpi/tests_on_four_ranks.hpp \
	tests/unit/mpi/preload/datatype.cpp \
	tests/unit/mpi/preload/described.cpp \
	tests/unit/mpi/preload/reduction.cpp
tests_unit_mpi_preload_arguments_CPPFLAGS = $(unit_cppflags) $(MPI_CFLAGS)
tests_unit_mpi_preload_arguments_LDADD = plugins/mpi/allreduce/liballreduce.la $(MPI_LIBS) \
	$(unit_libraries) -ldl

if HAVE_MPI
check_PROGRAMS += tests/unit/mpi/preload/session
endif
tests_unit_mpi_preload_session_SOURCES = $(mpi_transport_sources) \
	plugins/mpi/preload/choice.cpp \
	plugins/mpi/preload/choice.hpp \
	plugins/mpi/preload/engine.cpp \
	plugins/mpi/preload/engine.hpp \
	plugins/mpi/preload/session.cpp \
	plugins/mpi/preload/session.hpp \
	plugins/mpi/world_ranks.cpp \
	plugins/mpi/world_ranks.hpp \
	tests/unit/mpi/four_ranks.hpp \
	tests/unit/mpi/tests_on_four_ranks.hpp \
	tests/unit/mpi/preload/session.cpp
tests_unit_mpi_preload_session_CPPFLAGS = $(unit_cppflags) $(MPI_CFLAGS)
tests_unit_mpi_preload_session_LDADD = plugins/mpi/allreduce/liballreduce.la $(MPI_LIBS) \
	$(unit_libraries)

check_PROGRAMS += tests/unit/mpi/record/record
tests_unit_mpi_record_record_SOURCES = \
	plugins/mpi/record/lines.cpp \
	plugins/mpi/record/lines.hpp \
	plugins/mpi/record/progress_tail.cpp \
	plugins/mpi/record/progress_tail.hpp \
	plugins/mpi/record/record_file.cpp \
	plugins/mpi/record/record_file.hpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/mpi/record/lines.cpp \
	tests/unit/mpi/record/record_file.cpp
tests_unit_mpi_record_record_CPPFLAGS = $(unit_cppflags)
tests_unit_mpi_record_record_LDADD = libplanner/libreaders.la $(up_to_read) $(unit_libraries)

if HAVE_MPI
check_PROGRAMS += tests/unit/mpi/record/recorder
endif
tests_unit_mpi_record_recorder_SOURCES = \
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
	plugins/mpi/world_ranks.hpp \
	tests/unit/scratch_folder.hpp \
	tests/unit/mpi/four_ranks.hpp \
	tests/unit/mpi/tests_on_four_ranks.hpp \
	tests/unit/mpi/record/recorder.cpp
tests_unit_mpi_record_recorder_CPPFLAGS = $(unit_cppflags) $(MPI_CFLAGS)
tests_unit_mpi_record_recorder_LDADD = libplanner/libreaders.la $(up_to_read) $(MPI_LIBS) \
	$(unit_libraries)

# The whole of it, in a program that knows nothing of Hora.
if HAVE_MPI
check_PROGRAMS += tests/unit/mpi/preload/record
endif
tests_unit_mpi_preload_record_SOURCES = \
	tests/unit/mpi/four_ranks.hpp \
	tests/unit/mpi/preload/record.cpp
tests_unit_mpi_preload_record_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) \
	-DHORA_LIBRARY='"$(abs_builddir)/plugins/mpi/preload/.libs/libhora_mpi.so"'
tests_unit_mpi_preload_record_LDFLAGS = $(AM_LDFLAGS) -no-install
tests_unit_mpi_preload_record_LDADD = libplanner/libreaders.la $(up_to_read) $(MPI_LIBS) $(FMT_LIBS) -ldl
EXTRA_tests_unit_mpi_preload_record_DEPENDENCIES = plugins/mpi/preload/libhora_mpi.la
