"""Reading Matrix Market files: galerkit against SciPy and fast_matrix_market, same files, same machine.

Runs are interleaved (one reader after the other, then again) and the best of each is kept, because other work on the
machine only ever makes a run slower. Wall time is that of the read alone, without any start of an interpreter or process;
processor time (user + system, all threads) depends less on other work and, for galerkit, includes its process.
The Python readers return COO; galerkit returns CSR, sorted and with duplicates summed.

    cargo build --release -p galerkit-linalg --example read_matrix
    python benches/matrix_market.py [--folder FOLDER] [--runs 7] [--classic]
"""

import argparse, gzip, os, resource, shutil, statistics, subprocess, sys, tempfile, time
from pathlib import Path

import fast_matrix_market
import numpy
import scipy
import scipy.io
import scipy.io._mmio
import scipy.sparse

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("GALERKIT_DATA", ROOT / "../shared/data"))
READER = ROOT / "target/release/examples/read_matrix"


def poisson(n):
    line = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    one = scipy.sparse.eye_array(n)
    kron = scipy.sparse.kron
    return kron(kron(line, one), one) + kron(kron(one, line), one) + kron(kron(one, one), line)


def vardofpernode(copies):
    A = fast_matrix_market.mmread(DATA / "fem_systems/vardofpernode.mtx.gz")
    return scipy.sparse.block_diag([A] * copies, format="coo")


def lower_by_columns(n):
    """One triangle, column by column: how the SuiteSparse collection stores symmetric matrices."""
    return scipy.sparse.tril(poisson(n), format="csc").tocoo()


def random_symmetric(n):
    """Full 17-digit values in random order: the hard case for parsing and for sorting."""
    generator = numpy.random.default_rng(1)
    i, j = generator.integers(0, n, (2, 5 * n))
    A = scipy.sparse.coo_array((generator.standard_normal(5 * n), (numpy.maximum(i, j), numpy.minimum(i, j))), (n, n))
    A.sum_duplicates()
    order = generator.permutation(A.nnz)
    return scipy.sparse.coo_array((A.data[order], (A.row[order], A.col[order])), (n, n))


def write(path, make, symmetry):
    if path.exists():
        return
    A = make().tocoo()
    if symmetry == "general":
        fast_matrix_market.mmwrite(path, A, symmetry="general", precision=None)
    else:  # already the lower triangle
        with open(path, "w") as out:
            out.write(f"%%MatrixMarket matrix coordinate real {symmetry}\n{A.shape[0]} {A.shape[1]} {A.nnz}\n")
            for i, j, v in zip(A.row.tolist(), A.col.tolist(), A.data.tolist()):
                out.write(f"{i + 1} {j + 1} {v!r}\n")


def compress(path):
    packed = path.with_name(path.name + ".gz")
    if not packed.exists():
        with open(path, "rb") as text, gzip.open(packed, "wb", compresslevel=6) as out:
            shutil.copyfileobj(text, out, 1 << 20)
    return packed


def processor_seconds(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def galerkit(path):
    begin = processor_seconds(resource.RUSAGE_CHILDREN)
    words = subprocess.run([READER, path], check=True, capture_output=True, text=True).stdout.split()
    return float(words[-1]), processor_seconds(resource.RUSAGE_CHILDREN) - begin, int(words[2])


def timed(read):
    def run(path):
        begin, used = time.perf_counter(), processor_seconds(resource.RUSAGE_SELF)
        A = read(path)
        return time.perf_counter() - begin, processor_seconds(resource.RUSAGE_SELF) - used, A.nnz

    return run


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "galerkit-matrix-market")
    arguments.add_argument("--runs", type=int, default=7)
    arguments.add_argument("--classic", action="store_true", help="also SciPy's reader of before 1.12 (slow), once")
    arguments = arguments.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)

    cases = [
        ("poisson3d-100.mtx", lambda: poisson(100), "general"),
        ("vardofpernode-x5.mtx", lambda: vardofpernode(5), "general"),
        ("poisson3d-100-columns.mtx", lambda: lower_by_columns(100), "symmetric"),
        ("random-symmetric.mtx", lambda: random_symmetric(800_000), "symmetric"),
    ]
    readers = {
        "galerkit": galerkit,
        "scipy.io.mmread": timed(scipy.io.mmread),
        "scipy.io.mmread+tocsr": timed(lambda path: scipy.io.mmread(path).tocsr()),
        "fast_matrix_market": timed(fast_matrix_market.mmread),
    }
    print(f"# {sys.version.split()[0]=} {scipy.__version__=} {fast_matrix_market.__version__=} {os.cpu_count()=}")
    print(f"# {arguments.runs} interleaved runs (scipy.io._mmio once); load when started {os.getloadavg()[0]:.1f}")
    for name, make, symmetry in cases:
        text = arguments.folder / name
        write(text, make, symmetry)
        for path in (text, compress(text)):
            runs = {reader: [] for reader in readers}
            path.read_bytes()  # into the page cache
            for _ in range(arguments.runs):
                for reader, run in readers.items():
                    runs[reader].append(run(path))
            if arguments.classic:
                runs["scipy.io._mmio"] = [timed(scipy.io._mmio.mmread)(path)]
            print(f"\n{path.name}: {path.stat().st_size / 1e6:.1f} MB, text {text.stat().st_size / 1e6:.1f} MB")
            print(f"  {'seconds':22} {'best':>7} {'median':>7} {'cpu':>7}   over galerkit: best median cpu       nnz")
            base = figures(runs["galerkit"])
            for reader, results in runs.items():
                found = figures(results)
                row = " ".join(f"{value:7.3f}" for value in found)
                ratios = " ".join(f"{value / own:6.2f}" for value, own in zip(found, base))
                print(f"  {reader:22} {row}               {ratios}  {results[0][2]:9}", flush=True)


def figures(results):
    wall, used, _ = zip(*results)
    return min(wall), statistics.median(wall), min(used)


if __name__ == "__main__":
    main()
