# Shared by both plugins and by commands that ask Slurm; the only place that compares versions.
# libtres.la needs nothing of Slurm's at run time.
noinst_LTLIBRARIES += plugins/slurm/libtres.la
plugins_slurm_libtres_la_SOURCES = \
	plugins/slurm/compat.hpp \
	plugins/slurm/tres.cpp \
	plugins/slurm/tres.hpp \
	plugins/slurm/version.hpp
plugins_slurm_libtres_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
plugins_slurm_libtres_la_LIBADD = $(FMT_LIBS)

# The snapshot file as the plugin sees it; what loads it links libplanner.la too.
noinst_LTLIBRARIES += plugins/slurm/libstore.la
plugins_slurm_libstore_la_SOURCES = \
	plugins/slurm/snapshot_file.cpp \
	plugins/slurm/snapshot_file.hpp \
	plugins/slurm/snapshot_store.cpp \
	plugins/slurm/snapshot_store.hpp
