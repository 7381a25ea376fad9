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

# Asks slurmctld, with slurm_* left undefined as in a plugin.
noinst_LTLIBRARIES += plugins/slurm/libtopology.la
plugins_slurm_libtopology_la_SOURCES = \
	plugins/slurm/topology_message.cpp \
	plugins/slurm/topology_message.hpp
plugins_slurm_libtopology_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)

# The snapshot file as the plugin sees it; what loads it links libplanner.la too.
noinst_LTLIBRARIES += plugins/slurm/libstore.la
plugins_slurm_libstore_la_SOURCES = \
	plugins/slurm/snapshot_file.cpp \
	plugins/slurm/snapshot_file.hpp \
	plugins/slurm/snapshot_store.cpp \
	plugins/slurm/snapshot_store.hpp

# What asks slurmctld: for commands and the daemon, which link libslurm; never for plugins.
noinst_LTLIBRARIES += plugins/slurm/libcollect.la
plugins_slurm_libcollect_la_SOURCES = \
	plugins/slurm/collect.cpp \
	plugins/slurm/collect.hpp \
	plugins/slurm/collect_insides.cpp \
	plugins/slurm/collect_insides.hpp \
	plugins/slurm/collect_limits.cpp \
	plugins/slurm/collect_limits.hpp \
	plugins/slurm/collect_nodes.cpp \
	plugins/slurm/collect_nodes.hpp \
	plugins/slurm/messages.cpp \
	plugins/slurm/messages.hpp
plugins_slurm_libcollect_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS)
plugins_slurm_libcollect_la_LIBADD = plugins/slurm/libtres.la plugins/slurm/libtopology.la \
	libplanner/libplanner.la $(SLURM_LIBS)
