"""A A of grids by cuSPARSE, through CuPy: what the products of `multigrid` (an example of galerkit-cuda) are compared with.

python3 cupy_spgemm.py SIDE... [27] [f32]: 7 points and f64 unless asked otherwise. Prints the time of the best of five and multiply-adds a second.
"""
import sys
import time

import cupy as cp
import cupyx.scipy.sparse as sparse


def second_difference(n, dtype):
    off = cp.full(n - 1, -1, dtype)
    return sparse.diags([off, cp.full(n, 2, dtype), off], [-1, 0, 1], format="csr")


def neighbours(n, dtype):
    off = cp.ones(n - 1, dtype)
    return sparse.diags([off, cp.ones(n, dtype), off], [-1, 0, 1], format="csr")


def poisson(n, points, dtype):
    eye, d = sparse.eye(n, dtype=dtype, format="csr"), second_difference(n, dtype)
    if points == 7:
        terms = [(d, eye, eye), (eye, d, eye), (eye, eye, d)]
        return sum(sparse.kron(a, sparse.kron(b, c)) for a, b, c in terms).tocsr()
    s = neighbours(n, dtype)
    return (27 * sparse.eye(n**3, dtype=dtype) - sparse.kron(s, sparse.kron(s, s))).tocsr()


def main():
    points = 27 if "27" in sys.argv else 7
    dtype = cp.float32 if "f32" in sys.argv else cp.float64
    for side in (int(a) for a in sys.argv[1:] if a.isdigit() and a != "27"):
        A = poisson(side, points, dtype)
        lengths = cp.diff(A.indptr).astype(cp.int64)
        work = int(lengths[A.indices].sum())
        best = float("inf")
        for _ in range(5):
            cp.cuda.Device().synchronize()
            begun = time.perf_counter()
            C = A @ A
            cp.cuda.Device().synchronize()
            best = min(best, time.perf_counter() - begun)
            nnz = C.nnz
            del C
        print(f"cuSPARSE {side}^3, {points} points, {dtype.__name__}: A A {nnz} entries, {1e3 * best:.2f} ms, "
              f"{work * 1e-9:.3f} G multiply-adds, {work / best * 1e-9:.1f} G/s", flush=True)


main()
