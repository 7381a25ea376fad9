# Shared by both plugins and by commands that ask Slurm; the only place that compares versions.
