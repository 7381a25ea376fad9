/* SLURM_VERSION_NUMBER itself comes from the compiler's command line. */
#define SLURM_VERSION_NUM(a, b, c) (((a) << 16) + ((b) << 8) + (c))
