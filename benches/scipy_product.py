"""A times A and the transpose of A by SciPy (one thread) and by MKL (as many threads as galerkit), in turns with galerkit's own.

python benches/scipy_product.py [N] [7|27] [--threads 2] [--rounds 3] [--example target/release/examples/sparse-product]

The example is built by `cargo build --release -p galerkit-bench --example sparse-product`; where it is not there galerkit is left out,
and MKL where `pip install mkl` was not run. Seconds are the least of all rounds; each product is followed by a sort of its columns,
which galerkit's has by itself. Matrices of MKL are taken as they are stored: what `mkl_sparse_optimize` may do beforehand is for
products with vectors.
"""
import argparse, ctypes, glob, os, subprocess, sys, time
import numpy as np, scipy.sparse as sp

GENERAL, NONE, TRANSPOSED = 20, 10, 11


class Kind(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("mode", ctypes.c_int), ("diag", ctypes.c_int)]


def matrix(n, points):
    T, I = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)), sp.identity(n)
    if points == 7:
        A = sp.kron(sp.kron(T, I), I) + sp.kron(sp.kron(I, T), I) + sp.kron(sp.kron(I, I), T)
    else:
        S = sp.diags([1.0, 1.0, 1.0], [-1, 0, 1], shape=(n, n))
        A = 27.0 * sp.identity(n**3) - sp.kron(sp.kron(S, S), S)
    return A.tocsr()


def timed(work):
    begun = time.perf_counter()
    found = work()
    return time.perf_counter() - begun, found


def of_scipy(A):
    def product():
        C = A @ A
        C.sort_indices()
        return C.nnz

    return {"product": timed(product), "transpose": timed(lambda: A.T.tocsr().nnz)}


class Mkl:
    def __init__(self, threads):
        where = [path + "/libmkl_rt.so*" for path in [sys.prefix + "/lib", *sys.path]]
        found = sorted(file for pattern in where for file in glob.glob(pattern))
        self.library = ctypes.CDLL(found[0], mode=ctypes.RTLD_GLOBAL) if found else None
        if self.library:
            self.library.MKL_Set_Num_Threads(threads)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            raise RuntimeError(f"{name} ended with {status}")

    def handle(self, A):
        start, col, val = A.indptr.astype(np.int32), A.indices.astype(np.int32), A.data
        made, rows = ctypes.c_void_p(), ctypes.c_int(A.shape[0])
        words = [array.ctypes.data for array in (start, start[1:], col, val)]
        self.call("mkl_sparse_d_create_csr", ctypes.byref(made), 0, rows, rows, *map(ctypes.c_void_p, words))
        self.kept = start, col, val
        return made

    def entries(self, C):
        base, rows, cols = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        begin, end, col, val = (ctypes.c_void_p() for _ in range(4))
        told = [ctypes.byref(word) for word in (base, rows, cols, begin, end, col, val)]
        self.call("mkl_sparse_d_export_csr", C, *told)
        last = ctypes.cast(end, ctypes.POINTER(ctypes.c_int))[rows.value - 1]
        self.call("mkl_sparse_destroy", C)
        return last

    def measure(self, handle):
        def product():
            C = ctypes.c_void_p()
            self.call("mkl_sparse_spmm", NONE, handle, handle, ctypes.byref(C))
            self.call("mkl_sparse_order", C)
            return C

        def transpose():
            C = ctypes.c_void_p()
            self.call("mkl_sparse_convert_csr", handle, TRANSPOSED, ctypes.byref(C))
            return C

        found = {name: timed(work) for name, work in (("product", product), ("transpose", transpose))}
        return {name: (seconds, self.entries(C)) for name, (seconds, C) in found.items()}


def of_galerkit(example, n, points, threads):
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    said = subprocess.run([example, str(n), str(points)], env=environment, capture_output=True, text=True, check=True)
    lines = [line.split() for line in said.stdout.splitlines()]
    entries = next(int(words[6]) for words in lines if words[0] == "product")
    seconds = {words[0]: float(words[1]) for words in lines if words[0] in ("product", "transpose")}
    return {name: (seconds[name], entries if name == "product" else None) for name in seconds}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("n", nargs="?", type=int, default=100)
    parser.add_argument("points", nargs="?", type=int, choices=(7, 27), default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--example", default="target/release/examples/sparse-product")
    asked = parser.parse_args()
    A, mkl = matrix(asked.n, asked.points), Mkl(asked.threads)
    work = np.diff(A.indptr)[A.indices].sum(dtype=np.int64)
    programs = {"SciPy, 1 thread": lambda: of_scipy(A)}
    if mkl.library:
        handle = mkl.handle(A)
        programs[f"MKL, {asked.threads} threads"] = lambda: mkl.measure(handle)
    if os.path.exists(asked.example):
        programs[f"galerkit, {asked.threads} threads"] = lambda: of_galerkit(asked.example, asked.n, asked.points, asked.threads)
    least = {}
    for _ in range(asked.rounds):
        for name, measure in programs.items():
            for what, (seconds, entries) in measure().items():
                key = name, what
                least[key] = min(least.get(key, (np.inf, 0)), (seconds, entries or 0))
    print(f"{asked.points} points on {asked.n}^3: rows {A.shape[0]}, entries {A.nnz}, {work * 1e-6:.0f} M multiply-adds, load {os.getloadavg()[0]:.1f}")
    for (name, what), (seconds, entries) in sorted(least.items(), key=lambda item: item[0][1]):
        rate = f", {work / seconds * 1e-9:.3f} G multiply-adds/s, {entries} entries" if what == "product" else ""
        print(f"{what:9} {name:20} {seconds:.3f} s{rate}")


main()
