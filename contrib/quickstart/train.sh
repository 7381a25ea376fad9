#!/bin/bash
#SBATCH --job-name=digits
#SBATCH --hora-model=digits.toml --hora-batch=256
#SBATCH --hora-samples=1437 --hora-epochs=60
#SBATCH --time=10

srun --mpi=pmix hora-train-digits --epochs 60
