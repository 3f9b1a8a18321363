"""galerkit by itself next to SciPy's spsolve: every square matrix of the data folder, b = 1, patterns as ones.

One line for each matrix: the residual ||b - A x|| / ||b|| and the seconds of spsolve (SuperLU, the best of a few calls),
then the methods that `galerkit solve` tried, its residual and its seconds, set-up and all; reading is in neither. A matrix
that spsolve solves to RTOL must be solved, in at most FACTOR times its seconds or AT_ONCE. A line that is not says so, and
so does the exit status.

    cargo build --release -p galerkit-cli
    GALERKIT_DATA=FOLDER python benches/scipy_spsolve.py [--galerkit PROGRAM] [--limit SECONDS] [NAME ...]
"""

import argparse, json, multiprocessing, os, subprocess, sys, time, warnings
from pathlib import Path

import numpy
import scipy.io
import scipy.sparse
import scipy.sparse.linalg as solvers

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("GALERKIT_DATA", ROOT / "../shared/data"))
FOLDERS = ["complex", "fem_systems", "irregular", "suitesparse"]
RTOL, FACTOR, AT_ONCE = 1e-8, 3.0, 1.0
REPETITIONS, ENOUGH = 3, 5.0  # calls, and seconds after which there is no other


def square_matrices(names):
    for folder in FOLDERS:
        for path in sorted((DATA / folder).glob("*.mtx*")):
            rows, columns, _, form, *_ = scipy.io.mminfo(path)
            name = path.name.removesuffix(".gz").removesuffix(".mtx")
            if form == "coordinate" and rows == columns and (not names or name in names):
                yield name, path


def spsolve(path, answer):
    """The residual and the seconds of the fastest call, put where another process waits for them."""
    warnings.simplefilter("ignore")  # singular matrices: the residual tells
    A = scipy.sparse.csc_array(scipy.io.mmread(path))
    b = numpy.ones(A.shape[0])
    seconds = []
    while len(seconds) < REPETITIONS and sum(seconds) < ENOUGH:
        begun = time.perf_counter()
        try:
            x = solvers.spsolve(A, b)
        except RuntimeError:  # no memory, or singular
            return
        seconds.append(time.perf_counter() - begun)
    answer.put((numpy.linalg.norm(b - A @ x) / numpy.linalg.norm(b), min(seconds)))


def by_scipy(path, limit):
    """What spsolve has found within the limit; none where it is not done by then, or has failed."""
    answer = multiprocessing.Queue()
    process = multiprocessing.Process(target=spsolve, args=(path, answer))
    process.start()
    process.join(limit)
    if process.is_alive():
        process.kill()
        process.join()
    return None if answer.empty() else answer.get()


def by_galerkit(program, path, limit):
    """The fastest of a few solves: methods, residual, seconds."""
    best, spent = None, 0.0
    for _ in range(REPETITIONS):
        try:
            options = ["--device", "cpu", "--rtol", str(RTOL), "--quiet", "--json", "-"]
            ran = subprocess.run([program, "solve", path, *options], capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return None
        if ran.returncode == 2:
            return None
        report = json.loads(ran.stdout)
        seconds = report["setup_seconds"] + report["transfer_seconds"] + report["solve_seconds"]
        methods = ", ".join(attempt["method"] for attempt in report["tried"])
        if best is None or seconds < best[2]:
            best = methods, report["true_residual"], seconds
        spent += seconds
        if spent > ENOUGH:
            break
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerkit", default=ROOT / "target/release/galerkit")
    parser.add_argument("--limit", default=120.0, type=float, help="seconds of one solve")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    demand = f"in at most {FACTOR:g} times the seconds of spsolve or {AT_ONCE:g} s"
    print(f"SciPy {scipy.__version__}; solved: residual at most {RTOL:g}, {demand}\n")
    print("| matrix | spsolve | s | galerkit | residual | s | |\n|---|---|---|---|---|---|---|")
    missed = 0
    for name, path in square_matrices(arguments.names):
        theirs, ours = by_scipy(path, arguments.limit), by_galerkit(arguments.galerkit, path, arguments.limit)
        is_demanded = theirs is not None and theirs[0] <= RTOL
        is_solved = ours is not None and ours[1] <= RTOL
        in_time = is_solved and ours[2] <= max(AT_ONCE, FACTOR * theirs[1] if theirs else AT_ONCE)
        missed += is_demanded and not in_time
        verdict = "" if not is_demanded else "solved" if in_time else "**slow**" if is_solved else "**missed**"
        scipy_cells = f"{theirs[0]:.0e} | {theirs[1]:.3f}" if theirs else "- | -"
        our_cells = f"{ours[0]} | {ours[1]:.0e} | {ours[2]:.3f}" if ours else "- | - | -"
        print(f"| {name} | {scipy_cells} | {our_cells} | {verdict} |", flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
