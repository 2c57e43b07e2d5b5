"""Reference values of the model: checks the committed ones, or makes new ones.

generate.py --check [FOLDER ...]          every folder beside this file, unless some are named
generate.py --new FOLDER CASE --seed N    its settings are those of CASE, a case.json
"""

import argparse
import json
import math
from pathlib import Path

import torch
from reference import BOS, EOS, PAD, Seq2Seq

TYPES = {"F32": torch.float32, "F64": torch.float64, "I32": torch.int32}


def read_tensors(path):
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    body = bytearray(data[8 + size :])
    return {
        name: torch.frombuffer(body[slice(*entry["data_offsets"])], dtype=TYPES[entry["dtype"]]).reshape(entry["shape"])
        for name, entry in json.loads(data[8 : 8 + size]).items()
    }


def write_tensors(path, tensors):
    header, body = {}, b""
    for name, tensor in tensors.items():
        kind = "F32" if tensor.is_floating_point() else "I32"
        data = tensor.to(TYPES[kind]).contiguous().numpy().tobytes()
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header)
    text += " " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text.encode() + body)


def results(case, given):
    """What follows from a case's settings, w.* and in.*: all other tensors, and the scalars of "expected"."""
    model = Seq2Seq(case["config"])
    model.load_state_dict({name[2:]: value for name, value in given.items() if name.startswith("w.")}, strict=False)
    parameters = dict(model.named_parameters())  # a tied matrix once
    if different := {f"w.{name}" for name in parameters} ^ {name for name in given if name.startswith("w.")}:
        raise ValueError(f"{case['name']}: parameters of only the file or only the model: {sorted(different)}")
    source, lengths, target = (given[f"in.{name}"].long() for name in ("src", "src_lengths", "tgt"))
    cross_entropy = torch.nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=case["label_smoothing"])
    adam, expected = case["adam"], {}
    optimiser = torch.optim.Adam(parameters.values(), adam["lr"], (adam["beta1"], adam["beta2"]), adam["eps"])
    for step in (1, 2, 3):
        optimiser.zero_grad()
        states, logits, alpha = model(source, lengths, target)
        loss = cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten())
        loss.backward()
        if step == 1:
            expected["loss"] = loss.item()
            found = {"out.encoder": states.detach(), "out.logits": logits.detach()}
            found |= {} if alpha is None else {"out.alpha": alpha.detach()}
            found |= {f"grad.{name}": p.grad.clone() for name, p in parameters.items()}
            found["out.greedy"], found["out.greedy_log_prob"] = model.greedy(source, lengths, 2 * source.shape[1] + 5)
        norm = torch.nn.utils.clip_grad_norm_(parameters.values(), adam["clip_norm"])
        expected |= {f"loss_step{step}": loss.item(), f"grad_norm_step{step}": norm.item()}
        optimiser.step()
        if step in (1, 3):
            found |= {f"adam{step}.{name}": p.detach().clone() for name, p in parameters.items()}
    return found, expected


def difference(actual, expected):
    """Largest difference beyond what the file's type rounds away (float32 keeps 24 bits)."""
    if actual is None or expected is None or actual.shape != expected.shape:
        return math.inf
    rounding = expected.abs().double() * 2.0**-24 if expected.dtype == torch.float32 else 0
    beyond = (actual.double() - expected.double()).abs() - rounding
    return max(beyond.nan_to_num(nan=math.inf).max().item(), 0)


def check(folder):
    """Prints a line, and one for every value that is not reproduced. -> whether all were"""
    case = json.loads((folder / "case.json").read_text())
    stored = read_tensors(folder / "tensors.safetensors")
    given = {name: stored.pop(name) for name in list(stored) if name.startswith(("w.", "in."))}
    found, scalars = results(case, given)
    for values, numbers in (found, scalars), (stored, case["expected"]):
        values |= {name: torch.tensor(number, dtype=torch.float64) for name, number in numbers.items()}
    off = {name: difference(found.get(name), stored.get(name)) for name in sorted(found.keys() | stored.keys())}
    wrong = [f"\n  {name}: {value:.1e}" for name, value in off.items() if value > 1e-10]
    reproduced = f"{len(off) - len(wrong)} of {len(off)} values reproduced"
    print(f"{folder.name}: {reproduced}, largest difference {max(off.values()):.1e}", *wrong, sep="")
    return not wrong


def sentences(count, vocabulary, random):
    """-> words [count, longest], PAD behind the end; lengths [count]"""
    lengths = torch.randint(1, 10, (count,), generator=random)
    words = torch.randint(4, vocabulary, (count, int(lengths.max())), generator=random)
    return words.masked_fill(torch.arange(words.shape[1]) >= lengths.unsqueeze(1), PAD), lengths


def make(folder, settings, random):
    configuration, given = settings["config"], {}
    for name, parameter in Seq2Seq(configuration).named_parameters():
        # Wide enough that neighbouring gates, scores and words differ; rounded as the file keeps them.
        given[f"w.{name}"] = (torch.randn(parameter.shape, generator=random) * 0.35).double()
    given["in.src"], given["in.src_lengths"] = sentences(4, configuration["src_vocab"], random)
    words, lengths = sentences(4, configuration["tgt_vocab"], random)
    begin, end = torch.full((4, 1), BOS), torch.full((4, 1), PAD)
    given["in.tgt"] = torch.cat([begin, words, end], dim=1).scatter(1, lengths.unsqueeze(1) + 1, EOS)
    case = {"name": folder.name} | {key: settings[key] for key in ("config", "label_smoothing", "adam")}
    found, case["expected"] = results(case, given)
    folder.mkdir(parents=True)
    write_tensors(folder / "tensors.safetensors", given | found)
    (folder / "case.json").write_text(json.dumps(case, indent=1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--check", nargs="*", type=Path, metavar="FOLDER")
    task.add_argument("--new", nargs=2, type=Path, metavar=("FOLDER", "CASE"))
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    arguments = parser.parse_args()
    if arguments.new:
        folder, case = arguments.new
        raise SystemExit(make(folder, json.loads(case.read_text()), torch.Generator().manual_seed(arguments.seed)))
    folders = arguments.check or sorted(path.parent for path in Path(__file__).parent.glob("*/case.json"))
    raise SystemExit(0 if folders and all([check(folder) for folder in folders]) else 1)
