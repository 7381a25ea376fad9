EXTRA_DIST += \
	contrib/slurm/hora-snapshot.service \
	contrib/slurm/hora-snapshot.timer \
	contrib/slurm/hora.toml \
	contrib/slurm/plugstack.conf \
	contrib/slurm/slurm.conf
