#!/usr/bin/env python3
"""The measured models as ONNX graphs of the encoder and of one decoder step, for one sentence of 20 words:

    softalign bench --save build/bench && build/peers/venv/bin/python tests/peers/export_onnx.py build/bench build/peers
"""

import sys

import torch
from torch import nn

from model import CONFIGURATIONS, load

LENGTH = 20


class Encode(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, source):
        return self.model.encode(source)


class Step(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.decoder = model.decoder

    def forward(self, word, h, c, keys, states):
        output, h, c = self.decoder.step(self.decoder.embed(word), h, c, keys, states)
        return self.decoder.head(output), h, c


def export(module, arguments, path, inputs, outputs):
    torch.onnx.export(module, arguments, path, input_names=inputs, output_names=outputs, external_data=False)


def main():
    models, out = sys.argv[1:]
    for name, configuration in CONFIGURATIONS.items():
        model = load(f"{models}/{name}.safetensors", configuration)
        source = torch.full((1, LENGTH), 4)
        with torch.no_grad():
            states, keys, h, c = model.encode(source)
        export(Encode(model), (source,), f"{out}/{name}.encoder.onnx", ["source"], ["states", "keys", "h", "c"])
        export(
            Step(model),
            (torch.tensor([1]), h, c, keys, states),
            f"{out}/{name}.decoder.onnx",
            ["word", "h", "c", "keys", "states"],
            ["logits", "h_out", "c_out"],
        )


main()
