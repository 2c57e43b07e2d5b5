"""The measured models in PyTorch, with softalign's parameter names: what `softalign bench --save` writes loads unchanged.

B sentences, S source positions, T target steps.
"""

import json
import struct
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Configuration:
    vocabulary: int  # of both sides
    embed: int
    enc_hidden: int  # per direction
    dec_hidden: int
    attn: int
    bidirectional: bool
    bridge: bool

    @property
    def source_size(self):
        return self.enc_hidden * (2 if self.bidirectional else 1)


CONFIGURATIONS = {
    "small": Configuration(64, 128, 256, 256, 256, bidirectional=False, bridge=False),
    "full": Configuration(8000, 256, 256, 512, 512, bidirectional=True, bridge=True),
}


class Encoder(nn.Module):
    """source [B, S] -> states [B, S, K], final h and c [B, K]"""

    def __init__(self, c):
        super().__init__()
        self.embed = nn.Embedding(c.vocabulary, c.embed)
        self.rnn = nn.LSTM(c.embed, c.enc_hidden, batch_first=True, bidirectional=c.bidirectional)

    def forward(self, source):
        states, (h, c) = self.rnn(self.embed(source))
        return states, torch.cat(tuple(h), 1), torch.cat(tuple(c), 1)


class AdditiveAttention(nn.Module):
    """Bahdanau, Cho and Bengio 2015, A.1.2"""

    def __init__(self, c):
        super().__init__()
        self.Wh = nn.Linear(c.source_size, c.attn, bias=False)
        self.Ws = nn.Linear(c.dec_hidden, c.attn, bias=False)
        self.v = nn.Linear(c.attn, 1, bias=False)

    def forward(self, query, keys, states):
        energies = self.v(torch.tanh(keys + self.Ws(query).unsqueeze(1))).squeeze(2)  # [B, S]
        weights = torch.softmax(energies, 1)
        return torch.bmm(weights.unsqueeze(1), states).squeeze(1)  # [B, K]


class Decoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.embed = nn.Embedding(c.vocabulary, c.embed)
        self.attn = AdditiveAttention(c)
        self.rnn = nn.ModuleList([nn.LSTMCell(c.embed + c.source_size, c.dec_hidden)])
        self.head = nn.Linear(c.dec_hidden + c.source_size, c.vocabulary)

    def step(self, embedded, h, c, keys, states):
        """@return what the output layer reads [B, H + K], h, c"""
        context = self.attn(h, keys, states)
        h, c = self.rnn[0](torch.cat([embedded, context], 1), (h, c))
        return torch.cat([h, context], 1), h, c


class Seq2Seq(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.encoder = Encoder(c)
        self.decoder = Decoder(c)
        if c.bridge:
            self.bridge_h = nn.Linear(c.source_size, c.dec_hidden)
            self.bridge_c = nn.Linear(c.source_size, c.dec_hidden)
        self.bridge = c.bridge

    def encode(self, source):
        states, h, c = self.encoder(source)
        if self.bridge:
            h, c = torch.tanh(self.bridge_h(h)), torch.tanh(self.bridge_c(c))
        return states, self.decoder.attn.Wh(states), h, c

    def forward(self, source, read):
        """Teacher forcing; the output layer runs once over all steps. @return logits [B, T, V]"""
        states, keys, h, c = self.encode(source)
        embedded = self.decoder.embed(read)
        outputs = []
        for t in range(read.shape[1]):
            output, h, c = self.decoder.step(embedded[:, t], h, c, keys, states)
            outputs.append(output)
        return self.decoder.head(torch.stack(outputs, 1))


def load(path, configuration):
    """A model with the parameters of a safetensors file of floats."""
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
        data = bytearray(file.read())
    tensors = {}
    for name, tensor in header.items():
        if name == "__metadata__":
            continue
        begin, end = tensor["data_offsets"]
        values = torch.frombuffer(data, dtype=torch.float32, count=(end - begin) // 4, offset=begin)
        tensors[name] = values.reshape(tensor["shape"])
    model = Seq2Seq(configuration).eval()
    model.load_state_dict(tensors)
    return model
