plugin_ldflags = $(HORA_LDFLAGS) -module -avoid-version -shared

include plugins/slurm/local.mk
include plugins/job_submit/local.mk
include plugins/spank/local.mk

# What a removed Hora leaves for scripts that still have its options; see spank_hora(8).
install-stub: plugins/spank/spank_hora.la
	$(MKDIR_P) '$(DESTDIR)$(slurmplugindir)'
	$(LIBTOOL) $(AM_LIBTOOLFLAGS) --mode=install $(INSTALL) plugins/spank/spank_hora.la \
		'$(DESTDIR)$(slurmplugindir)'

uninstall-hook:
	@echo 'hora: removed. Jobs that are queued keep the requests they have.'
	@echo 'hora: sbatch now refuses scripts with --hora- lines ("unrecognized option"). To keep them'
	@echo 'hora: running, "make install-stub" and write this line into plugstack.conf:'
	@echo 'hora:     optional $(slurmplugindir)/spank_hora.so stub'
