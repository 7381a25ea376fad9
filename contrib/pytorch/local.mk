EXTRA_DIST += \
	contrib/pytorch/checkpoint.py \
	contrib/pytorch/digits.py \
	contrib/pytorch/hora_torch.py \
	contrib/pytorch/ranks.py \
	contrib/pytorch/report.py \
	contrib/pytorch/train.py
