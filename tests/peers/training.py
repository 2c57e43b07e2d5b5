#!/usr/bin/env python3
"""Training steps of softalign and of PyTorch in turns: words a second, source and target, and their ratio.

    build/peers/venv/bin/python tests/peers/training.py [--threads 2] [--rounds 3]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BATCH = 64


def train_with_torch(name, length, threads, seconds):
    """@return words a second"""
    import torch
    from torch import nn

    from model import CONFIGURATIONS, Seq2Seq

    torch.set_num_threads(threads)
    configuration = CONFIGURATIONS[name]
    model = Seq2Seq(configuration)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    source = torch.randint(4, configuration.vocabulary, (BATCH, length))
    target = torch.randint(4, configuration.vocabulary, (BATCH, length + 1))

    def step():
        optimizer.zero_grad()
        logits = model(source, target[:, :-1])
        nn.functional.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten()).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    for _ in range(3):
        step()
    times = []
    end = time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < end:
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    return BATCH * 2 * length / statistics.median(times)


def torch_speed(name, length, threads):
    """In a process of its own, whose libraries all obey the number of threads."""
    environment = os.environ | {f"{library}_NUM_THREADS": str(threads) for library in ("OMP", "MKL", "OPENBLAS")}
    command = [sys.executable, __file__, "--torch", name, str(length), str(threads)]
    return json.loads(subprocess.check_output(command, env=environment))


def softalign_speed(command, name, length, products, threads):
    wanted = ["--json", "--threads", str(threads), "--filter", f"training {name} {length} {products}"]
    for line in subprocess.check_output([command, "bench", *wanted], text=True).splitlines():
        record = json.loads(line)
        if record["bench"] == "training":
            return record["tokens_per_second"]
    raise SystemExit(f"softalign does not train with products in {products} on this machine")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--products", nargs="*", default=["f32", "bf16"])
    parser.add_argument("--softalign", default=str(ROOT / "build/native/native/softalign"))
    parser.add_argument("--torch", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.torch:
        name, length, threads = options.torch
        print(train_with_torch(name, int(length), int(threads), seconds=4))
        return
    for name in ("small", "full"):
        for length in (12, 30):
            rounds = []
            for _ in range(options.rounds):
                peer = torch_speed(name, length, options.threads)
                own = {p: softalign_speed(options.softalign, name, length, p, options.threads) for p in options.products}
                rounds.append((peer, own))
            record = {"bench": "training", "model": name, "length": length, "threads": options.threads}
            record["torch"] = round(statistics.median(peer for peer, _ in rounds))
            for products in options.products:
                record[f"softalign_{products}"] = round(statistics.median(own[products] for _, own in rounds))
                ratio = statistics.median(own[products] / peer for peer, own in rounds)
                record[f"ratio_{products}"] = round(ratio, 3)
            print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
