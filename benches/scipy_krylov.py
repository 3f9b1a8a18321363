"""Iteration counts of galerkit next to SciPy's: same matrix, b = 1, x0 = 0, same Jacobi preconditioner.

A count is the number of iterations until ||b - A x|| <= RTOL ||b||. SciPy's own tests are not used (MINRES has another
one); its iterates are looked at after each iteration instead. SciPy's GMRES gives no iterates inside of a cycle, and it
preconditions from the left: it is compared without preconditioner, by the norm that its recurrence carries, which is that
of the residual then.

    cargo build --release -p galerkit-cli
    python benches/scipy_krylov.py [--galerkit target/release/galerkit] [--folder FOLDER] [NAME ...]
"""

import argparse, json, os, subprocess
from pathlib import Path

import numpy
import scipy.io
import scipy.sparse
import scipy.sparse.linalg as solvers

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("GALERKIT_DATA", ROOT / "../shared/data"))
NAMES = ["nos5", "gr_30_30", "1138_bus", "662_bus", "bcsstk09", "sherman1", "sherman3", "orsirr_1", "pde900", "jpwh_991",
         "epb0", "cage10", "watt_1", "bfw782a"]
RTOL, LIMIT = 1e-8, 10_000


class Enough(Exception):
    pass


class Counter:
    """Counts iterations until the residual is small enough."""

    def __init__(self, A, b):
        self.A, self.b, self.limit, self.count = A, b, RTOL * numpy.linalg.norm(b), 0

    def iterate(self, x):
        self.count += 1
        if numpy.linalg.norm(self.b - self.A @ x) <= self.limit:
            raise Enough

    def norm(self, relative):
        self.count += 1
        if relative <= RTOL:
            raise Enough


def by_scipy(method, A, b, jacobi):
    counter = Counter(A, b)
    M = scipy.sparse.diags_array(1 / A.diagonal()) if jacobi else None
    try:
        if method == "gmres:30":
            solvers.gmres(A, b, rtol=0, atol=0, restart=30, maxiter=LIMIT // 30, callback=counter.norm,
                          callback_type="pr_norm")
        elif method == "minres":
            solvers.minres(A, b, rtol=0, maxiter=LIMIT, M=M, callback=counter.iterate)
        else:
            solve = {"cg": solvers.cg, "bicgstab": solvers.bicgstab}[method]
            solve(A, b, rtol=0, atol=0, maxiter=LIMIT, M=M, callback=counter.iterate)
    except Enough:
        return str(counter.count)
    return f"not in {counter.count}"


def by_galerkit(program, path, method, jacobi):
    options = ["--method", method, "--precond", "jacobi" if jacobi else "none", "--rtol", str(RTOL), "--quiet",
               "--max-iterations", str(LIMIT), "--ordering", "natural", "--device", "cpu", "--json", "-"]
    ran = subprocess.run([program, "solve", path, *options], capture_output=True, text=True)
    if ran.returncode == 2:
        return "refused"
    report = json.loads(ran.stdout)
    return str(report["iterations"]) if report["converged"] else f"{report['outcome']} in {report['iterations']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerkit", default=ROOT / "target/release/galerkit")
    parser.add_argument("--folder", default=DATA / "suitesparse", type=Path)
    parser.add_argument("names", nargs="*", default=NAMES)
    arguments = parser.parse_args()
    print(f"SciPy {scipy.__version__}, iterations to {RTOL:g}, at most {LIMIT}\n")
    print("| matrix | method | preconditioner | galerkit | SciPy |\n|---|---|---|---|---|")
    for name in arguments.names:
        path = arguments.folder / f"{name}.mtx.gz"
        A = scipy.sparse.csr_array(scipy.io.mmread(path))
        b = numpy.ones(A.shape[0])
        symmetric = abs(A - A.T).max() == 0
        plan = [("bicgstab", False), ("bicgstab", True), ("gmres:30", False)]
        if symmetric:
            plan = [("cg", False), ("cg", True), ("minres", False), ("minres", True)] + plan
        for method, jacobi in plan:
            ours, theirs = by_galerkit(arguments.galerkit, path, method, jacobi), by_scipy(method, A, b, jacobi)
            print(f"| {name} | {method} | {'jacobi' if jacobi else 'none'} | {ours} | {theirs} |", flush=True)


if __name__ == "__main__":
    main()
