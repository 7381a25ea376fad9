#!/usr/bin/python3
"""Which .onnx files does PyTorch write for small networks, and what do they cost by hand?

Usage: export_networks.py FOLDER. Prints a line a file: name, parameters, multiply-adds of a sample.
"""

import sys
import warnings

import torch
from torch import nn

positions = 10


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, stride=2, padding=1, groups=2, bias=False),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(1),
        )
        self.head = nn.Linear(16, 10)

    def forward(self, images):
        return self.head(torch.flatten(self.features(images), 1))


class Recurrence(nn.Module):
    def __init__(self):
        super().__init__()
        self.states = nn.LSTM(12, 20, 2, batch_first=True, bidirectional=True)
        self.head = nn.Linear(40, 5)

    def forward(self, inputs):
        return self.head(self.states(inputs)[0])


class Tied(nn.Module):
    """The table of the words is also the output's weights, as in language models."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 16)
        self.slope = nn.PReLU(16)
        self.head = nn.Linear(16, 50, bias=False)
        self.head.weight = self.words.weight

    def forward(self, words):
        return self.head(self.slope(self.words(words).transpose(1, 2)).transpose(1, 2))


class Patches(nn.Module):
    """A vision transformer: each sample's patches behind a token that is expanded to the batch."""

    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 32, 4, stride=4)
        self.token = nn.Parameter(torch.zeros(1, 1, 32))
        self.places = nn.Parameter(torch.zeros(1, 17, 32))
        self.layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
        self.head = nn.Linear(32, 10)

    def forward(self, images):
        count = images.shape[0]
        patches = self.patches(images).reshape(count, 32, -1).permute(0, 2, 1)
        joined = torch.cat([self.token.expand(count, -1, -1), patches], 1)
        return self.head(self.layer(joined + self.places)[:, 0])


class Causal(nn.Module):
    """A block of a language model: a mask cut from a larger one, positions by a range, and halves
    of each head turned against each other."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 32)
        self.positions = nn.Embedding(64, 32)
        self.project = nn.Linear(32, 96)
        self.head = nn.Linear(32, 50, bias=False)
        self.register_buffer("lower", torch.tril(torch.ones(64, 64)).bool().view(1, 1, 64, 64))

    def forward(self, words):
        count, length = words.shape
        states = self.words(words) + self.positions(torch.arange(length)).unsqueeze(0)
        parts = [
            part.view(part.size()[:-1] + (4, part.size(-1) // 4)).permute(0, 2, 1, 3)
            for part in self.project(states).split(32, dim=2)
        ]
        query, key, value = parts
        half = query.shape[-1] // 2
        query = torch.cat((-query[..., half:], query[..., :half]), -1)
        scores = torch.matmul(query, key.transpose(-1, -2))
        lower = self.lower[:, :, key.size(-2) - query.size(-2) : key.size(-2), : key.size(-2)]
        scores = scores.masked_fill(~lower, -1e9)
        mixed = torch.matmul(scores.softmax(-1), value).permute(0, 2, 1, 3).contiguous()
        return self.head(mixed.view(count, length, -1))


# The mac of each, written out as a reader would count them.
convolutions_mac = 32 * 32 * 8 * 3 * 9 + 8 * 8 * 16 * (8 // 2) * 9 + 16 * 10
first_gates = 2 * 4 * 20 * (12 + 20)
second_gates = 2 * 4 * 20 * (40 + 20)
recurrence_mac = positions * (first_gates + second_gates + 40 * 5)
attention_mac = positions * 32 * 3 * 32 + 2 * positions * positions * 32 + positions * 32 * 32
encoder_mac = attention_mac + 2 * positions * 32 * 64
tied_mac = positions * 16 * 50
patches_attention_mac = 17 * 32 * 4 * 32 + 2 * 17 * 17 * 32
patches_mac = 16 * 32 * 3 * 16 + patches_attention_mac + 2 * 17 * 32 * 64 + 32 * 10
causal_mac = positions * 32 * 96 + 2 * positions * positions * 32 + positions * 32 * 50

networks = {
    "convolutions": (Convolutions(), torch.randn(1, 3, 32, 32), convolutions_mac),
    "recurrence": (Recurrence(), torch.randn(1, positions, 12), recurrence_mac),
    "encoder": (
        nn.TransformerEncoderLayer(32, 4, 64, batch_first=True),
        torch.randn(1, positions, 32),
        encoder_mac,
    ),
    "tied": (Tied(), torch.randint(0, 50, (1, positions)), tied_mac),
    "patches": (Patches(), torch.randn(1, 3, 16, 16), patches_mac),
    "causal": (Causal(), torch.randint(0, 50, (1, positions)), causal_mac),
}


def export(network, sample, path, is_folded):
    # The exporter merges what is equal by chance, as fresh biases are: no two may be.
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_()
    # Training keeps attention as the graph has it; the fused kernel cannot be exported.
    torch.onnx.export(
        network,
        sample,
        path,
        input_names=["x"],
        dynamic_axes={"x": {0: "batch"}},
        do_constant_folding=is_folded,
        training=torch.onnx.TrainingMode.PRESERVE,
        opset_version=14,
    )


def main():
    warnings.simplefilter("ignore")
    torch.manual_seed(1)
    for name, (network, sample, mac) in networks.items():
        parameters = sum(parameter.numel() for parameter in network.parameters())
        for variant in ("folded", "plain"):
            export(network, sample, f"{sys.argv[1]}/{name}-{variant}.onnx", variant == "folded")
            print(f"{name}-{variant}", parameters, mac)


main()
