"""The Fichera corner by galerkit, NGSolve and deal.II in one run: unknowns and seconds to a relative error of the energy, (E - E_h)/E.

python benches/fichera/fichera.py --galerkit target/release/galerkit [--ngsolve PYTHON] [--dealii fichera_dealii] [--most N]

E is extrapolated by Aitken from the last three energies of NGSolve's hp sequence if that is run, else from ours; both are printed.
Peers that are not given are left out. Raw lines come first, the table last.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

TARGETS = [1e-3, 1e-4, 1e-5]
LINE = re.compile(r"(\S+) degree (\S+) .*unknowns (\d+) energy (\S+) .*elapsed (\S+) s")


def ours(program, most, more):
    command = f"{program} poisson --domain fichera --degree 2 --adapt 1e-4 --max-unknowns {most} --device cpu --json - -q {more}"
    print("$", command, flush=True)
    report = json.loads(subprocess.run(command.split(), capture_output=True, text=True).stdout)
    for point in report["curves"][0]["points"]:
        degrees = f"{point['degree_min']}-{point['degree_max']}"
        yield (f"galerkit degree {degrees} cells {point['cells']} unknowns {point['unknowns']} "
               f"energy {point['energy']:.12f} iterations {point['iterations']} elapsed {point['elapsed']:.2f} s")


def peer(command):
    print("$", " ".join(command), flush=True)
    yield from subprocess.run(command, capture_output=True, text=True).stdout.splitlines()


def aitken(a, b, c):
    return c - (c - b) ** 2 / ((c - b) - (b - a))


parser = argparse.ArgumentParser()
parser.add_argument("--galerkit", default="target/release/galerkit")
parser.add_argument("--ngsolve", help="a Python that has ngsolve")
parser.add_argument("--dealii", help="the program of CMakeLists.txt")
parser.add_argument("--most", type=int, default=200_000, help="sequences end beyond so many unknowns")
parser.add_argument("--highest", type=int, default=6, help="degree of NGSolve's hp sequence")
arguments = parser.parse_args()
script = str(pathlib.Path(__file__).with_name("fichera_ngsolve.py"))
runs = [ours(arguments.galerkit, arguments.most, more) for more in ["", "--operator assembled"]]
if arguments.ngsolve:
    runs.append(peer([arguments.ngsolve, script, "hp", str(arguments.highest), "1.0"]))
    runs.append(peer([arguments.ngsolve, script, "h", "3", str(arguments.most)]))
if arguments.dealii:
    runs += [peer([arguments.dealii, str(p), str(arguments.most)]) for p in (2, 3, 4)]
rows = []
for number, run in enumerate(runs):
    for line in run:
        print(line, flush=True)
        if found := LINE.match(line):
            name, degree, unknowns, energy, elapsed = found.groups()
            rows.append((number, name, degree, int(unknowns), float(energy), float(elapsed)))
energies = {name: [row[4] for row in rows if row[1] == name] for name in ("NGSolve-hp", "galerkit")}
energies["galerkit"] = [row[4] for row in rows if row[0] == 0]
found = {name: aitken(*values[-3:]) for name, values in energies.items() if len(values) >= 3}
for name, value in found.items():
    print(f"extrapolated from {name}: {value:.8f}; its last energy {energies[name][-1]:.8f}")
E = found.get("NGSolve-hp", found.get("galerkit"))
if E is None:
    sys.exit("no sequence is long enough to extrapolate from")
print(f"\n(E - E_h)/E with E = {E:.8f}: unknowns and seconds of the first space below each")
print("| | " + " | ".join(f"{target:.0e}" for target in TARGETS) + " |\n|---|" + "---|" * len(TARGETS))
for number in sorted({row[0] for row in rows}):
    mine = [row for row in rows if row[0] == number]
    degrees = sorted({row[2] for row in mine})
    name = f"{mine[0][1]}{' assembled' if number == 1 else ''}, degree {degrees[0]}" + (f" to {degrees[-1]}" if len(degrees) > 1 else "")
    cells = []
    for target in TARGETS:
        hit = next((row for row in mine if (E - row[4]) / E <= target), None)
        cells.append(f"{hit[3]}, {hit[5]:.1f} s" if hit else "-")
    print(f"| {name} | " + " | ".join(cells) + " |")
