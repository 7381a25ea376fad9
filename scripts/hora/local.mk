bin_PROGRAMS += hora
hora_SOURCES = \
	scripts/hora/calibrate.cpp \
	scripts/hora/calibrate.hpp \
	scripts/hora/command.cpp \
	scripts/hora/command.hpp \
	scripts/hora/main.cpp \
	scripts/hora/model.cpp \
	scripts/hora/model.hpp \
	scripts/hora/plan.cpp \
	scripts/hora/plan.hpp \
	scripts/hora/topology.cpp \
	scripts/hora/topology.hpp \
	scripts/hora/topology_output.hpp
dist_man_MANS += scripts/hora/hora.1 scripts/hora/hora-model.1
hora_CPPFLAGS = $(AM_CPPFLAGS) $(CLI11_CFLAGS) $(SLURM_CPPFLAGS)
hora_LDADD = libplanner/libreaders.la libplanner/libplanner.la
hora_SOURCES += scripts/hora/config.cpp scripts/hora/config.hpp
hora_SOURCES += scripts/hora/site.cpp scripts/hora/site.hpp
dist_man_MANS += scripts/hora/hora.toml.5 scripts/hora/hora-cluster.5
if HAVE_SLURM
hora_SOURCES += \
	plugins/slurm/find_job.cpp \
	plugins/slurm/find_job.hpp \
	scripts/hora/explain.cpp \
	scripts/hora/explain.hpp
hora_SOURCES += \
	plugins/slurm/pending_job.cpp \
	plugins/slurm/pending_job.hpp \
	scripts/hora/relax.cpp \
	scripts/hora/relax.hpp
dist_man_MANS += scripts/hora/hora-relax.1
hora_LDADD += $(SLURM_LIBS)
dist_man_MANS += scripts/hora/hora-explain.1
hora_SOURCES += \
	scripts/hora/cluster.cpp \
	scripts/hora/cluster.hpp
hora_LDADD += plugins/slurm/libcollect.la
dist_man_MANS += scripts/hora/hora-cluster-snapshot.1
endif
dist_man_MANS += scripts/hora/hora-plan.1 scripts/hora/hora-topology.1
dist_man_MANS += scripts/hora/hora-ring.1
hora_SOURCES += \
	scripts/hora/cluster_source.cpp \
	scripts/hora/cluster_source.hpp \
	scripts/hora/gpu_choice.cpp \
	scripts/hora/gpu_choice.hpp \
	scripts/hora/ring.cpp \
	scripts/hora/ring.hpp
hora_SOURCES += \
	scripts/hora/atomic_file.cpp \
	scripts/hora/atomic_file.hpp \
	scripts/hora/cuda_driver.cpp \
	scripts/hora/cuda_driver.hpp \
	scripts/hora/link_test.cpp \
	scripts/hora/link_test.hpp \
	scripts/hora/measure.cpp \
	scripts/hora/measure.hpp
EXTRA_DIST += scripts/hora/topology.svg
hora_SOURCES += scripts/hora/slurm_lines.cpp scripts/hora/slurm_lines.hpp
hora_SOURCES += scripts/hora/check_gres.cpp scripts/hora/check_gres.hpp
