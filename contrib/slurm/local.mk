EXTRA_DIST += \
	contrib/slurm/hora-snapshot.service \
	contrib/slurm/hora-snapshot.timer \
	contrib/slurm/hora.toml \
	contrib/slurm/mpi.conf \
	contrib/slurm/preempt.conf \
	contrib/slurm/horad-slurm-user.conf \
	contrib/slurm/horad.service \
	contrib/slurm/plugstack.conf \
	contrib/slurm/slurm.conf \
	contrib/slurm/tuned.conf
