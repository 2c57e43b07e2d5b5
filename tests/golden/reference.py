"""The model in PyTorch, float64, as plainly as it can be said: what the core is judged by.

B sentences, S source positions, T target steps, K size of a source state h_i, H decoder units, V target words.
A recurrent state is a tuple: (h, c) of an LSTM, (h,) of a GRU. Parameters have the names of the model file.
"""

import math

import torch
from torch import nn

PAD, BOS, EOS = 0, 1, 2


def advance(cell, x, state):
    """One step: (h', c') of an LSTM's cell, (h',) of a GRU's.

    LSTM  i, f, o = sigmoid, g = tanh of W x + b + U h + b';    c' = f*c + i*g,  h' = o*tanh(c')
    GRU   r, z = sigmoid of W x + b + U h + b';  n = tanh(W x + b + r*(U h + b')),  h' = (1 - z)*n + z*h
    """
    return cell(x, state) if isinstance(cell, nn.LSTMCell) else (cell(x, state[0]),)


class Encoder(nn.Module):
    """Every sentence runs over its own length only, the backward direction from its last real token."""

    def __init__(self, c):
        super().__init__()
        self.embed = nn.Embedding(c["src_vocab"], c["embed"])
        rnn = nn.GRU if c["cell"] == "gru" else nn.LSTM
        self.rnn = rnn(c["embed"], c["enc_hidden"], c["layers"], batch_first=True, bidirectional=c["bidirectional"])

    def forward(self, source, lengths):
        """source [B, S], lengths [B] -> states [B, S, K], zero past the end; final states, each [layers, B, K]"""
        packed = nn.utils.rnn.pack_padded_sequence(self.embed(source), lengths, batch_first=True, enforce_sorted=False)
        output, final = self.rnn(packed)
        states, _ = nn.utils.rnn.pad_packed_sequence(output, batch_first=True, total_length=source.shape[1])
        final = final if isinstance(final, tuple) else (final,)  # each [layers * directions, B, enc_hidden]
        directions = 2 if self.rnn.bidirectional else 1
        return states, tuple(torch.cat([part[d::directions] for d in range(directions)], dim=2) for part in final)


class Attention(nn.Module):
    """Scores e_i of a query s against every h_i:

    additive    v . tanh(Wh h_i + Ws s)      Bahdanau, Cho and Bengio 2015, A.1.2
    concat      v . tanh(W [s; h_i])         Luong, Pham and Manning 2015, 3.1
    general     h_i . W s                    the same
    dot         h_i . s                      the same
    scaled_dot  h_i . s / sqrt(K)            Vaswani et al. 2017, 3.2.1
    """

    def __init__(self, score, states, query, units):
        super().__init__()
        self.score = score
        sizes = {
            "additive": {"Wh": (states, units), "Ws": (query, units), "v": (units, 1)},
            "concat": {"W": (query + states, units), "v": (units, 1)},
            "general": {"W": (query, states)},
        }
        for name, size in sizes.get(score, {}).items():
            self.add_module(name, nn.Linear(*size, bias=False))

    def energies(self, query, states):
        """query [B, H], states [B, S, K] -> [B, S]"""
        queries = query.unsqueeze(1).expand(-1, states.shape[1], -1)  # [B, S, H]
        if self.score == "additive":
            return self.v(torch.tanh(self.Wh(states) + self.Ws(queries))).squeeze(2)
        if self.score == "concat":
            return self.v(torch.tanh(self.W(torch.cat([queries, states], dim=2)))).squeeze(2)
        products = (states * (self.W(queries) if self.score == "general" else queries)).sum(2)
        return products / math.sqrt(states.shape[2]) if self.score == "scaled_dot" else products

    def forward(self, query, states, real):
        """real [B, S]: no padding -> context [B, K], alpha [B, S]"""
        alpha = torch.softmax(self.energies(query, states).masked_fill(~real, -math.inf), dim=1)
        return (alpha.unsqueeze(2) * states).sum(1), alpha


class Decoder(nn.Module):
    def __init__(self, c, states):
        super().__init__()
        embed, hidden, style = c["embed"], c["dec_hidden"], c["style"]
        self.style, self.input_feeding = style, c["input_feeding"]
        cell = nn.GRUCell if c["cell"] == "gru" else nn.LSTMCell
        self.embed = nn.Embedding(c["tgt_vocab"], embed)
        if style != "none":
            self.attn = Attention(c["score"], states, hidden, c["attn"])
        if style == "conditional":
            self.first = cell(embed, hidden)
        fed = hidden if self.input_feeding else 0
        reads = {"none": embed, "bahdanau": embed + states, "luong": embed + fed, "conditional": states}[style]
        self.rnn = nn.ModuleList(cell(hidden if layer else reads, hidden) for layer in range(c["layers"]))
        if style == "luong":
            self.combine = nn.Linear(states + hidden, hidden, bias=False)
        size = hidden + (states if style in ("bahdanau", "conditional") else 0)
        self.readout = nn.Linear(size + embed, c["readout"]) if c["readout"] else None
        self.head = nn.Linear(c["readout"] or size, c["tgt_vocab"])
        if c["tied"]:
            self.head.weight = self.embed.weight
    def step(self, word, carried, states, real):
        """word [B]: the previous one -> logits [B, V], alpha [B, S] or None, what the next step takes"""
        layers, attentional = carried
        embedded = self.embed(word)
        below, alpha = embedded, None
        if self.style == "bahdanau":  # the query is the state before the step
            context, alpha = self.attn(layers[-1][0], states, real)
            below = torch.cat([embedded, context], dim=1)
        elif self.style == "conditional":  # the query has read the previous word
            layers = [advance(self.first, embedded, layers[0]), *layers[1:]]
            context, alpha = self.attn(layers[0][0], states, real)
            below = context
        elif self.input_feeding:
            below = torch.cat([embedded, attentional], dim=1)

        after = []
        for cell, state in zip(self.rnn, layers):
            after.append(advance(cell, below, state))
            below = after[-1][0]  # h
        output = torch.cat([below, context], dim=1) if self.style in ("bahdanau", "conditional") else below
        if self.style == "luong":  # the query is the state after the step
            context, alpha = self.attn(below, states, real)
            output = attentional = torch.tanh(self.combine(torch.cat([context, below], dim=1)))
        if self.readout:
            output = torch.tanh(self.readout(torch.cat([output, embedded], dim=1)))
        return self.head(output), alpha, (after, attentional)


class Seq2Seq(nn.Module):
    def __init__(self, configuration):
        super().__init__()
        c = {"cell": "lstm", **configuration}
        states = c["enc_hidden"] * (2 if c["bidirectional"] else 1)
        self.encoder = Encoder(c)
        self.bridges = [f"bridge_{part}" for part in ("h" if c["cell"] == "gru" else "hc") if c["bridge"]]
        for name in self.bridges:
            self.add_module(name, nn.Linear(states, c["dec_hidden"]))
        self.decoder = Decoder(c, states)
        self.double()

    def encode(self, source, lengths):
        """-> states [B, S, K], real [B, S], what the first step takes: a state of every layer, an attentional vector"""
        states, final = self.encoder(source, lengths)
        if self.bridges:
            final = tuple(torch.tanh(getattr(self, name)(part)) for name, part in zip(self.bridges, final))
        real = torch.arange(source.shape[1]) < lengths.unsqueeze(1)
        layers = list(zip(*final))  # a state each
        return states, real, (layers, torch.zeros_like(layers[-1][0]))

    def forward(self, source, lengths, target):
        """target [B, 1 + T], BOS ... EOS PAD -> states, logits [B, T, V], alpha [B, T, S] or None"""
        states, real, carried = self.encode(source, lengths)
        steps = []
        for word in target[:, :-1].T:
            logits, alpha, carried = self.decoder.step(word, carried, states, real)
            steps.append((logits, alpha))
        logits, alphas = zip(*steps)
        return states, torch.stack(logits, 1), None if alpha is None else torch.stack(alphas, 1)

    @torch.no_grad()
    def greedy(self, source, lengths, steps):
        """The likeliest word each step, never PAD or BOS -> words [B, steps], PAD after EOS, log-probabilities [B]"""
        states, real, carried = self.encode(source, lengths)
        word, ended, words, total = torch.full_like(lengths, BOS), torch.zeros_like(lengths).bool(), [], 0
        for _ in range(steps):
            logits, _, carried = self.decoder.step(word, carried, states, real)
            logits[:, [PAD, BOS]] = -math.inf
            best, word = torch.log_softmax(logits, dim=1).max(dim=1)
            total = total + best.masked_fill(ended, 0)
            words.append(word.masked_fill(ended, PAD))
            ended = ended | (word == EOS)
        return torch.stack(words, 1), total
