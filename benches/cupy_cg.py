"""Conjugate gradients by CuPy on a 27-point grid, for `galerkit bench cg --device cuda`: milliseconds per iteration.

python3 cupy_cg.py GRID RTOL LIMIT    prints: milliseconds iterations relative_residual version
"""
import sys
import time

import cupy as cp
import cupyx.scipy.sparse as sparse
import cupyx.scipy.sparse.linalg as linalg


def box_stencil(n):
    """26 on the diagonal and -1 for each of the up to 26 neighbours, assembled on the GPU."""
    ones = cp.ones(n)
    line = sparse.diags([ones[:-1], ones, ones[:-1]], [-1, 0, 1], format="csr")
    neighbours = sparse.kron(sparse.kron(line, line, format="csr"), line, format="csr")
    return (27.0 * sparse.identity(n**3, format="csr") - neighbours).tocsr()


def solve(A, b, rtol, limit):
    """The solution, how many iterations it took and how many seconds."""
    count = [0]

    def count_up(_):
        count[0] += 1

    cp.cuda.Device().synchronize()
    begun = time.perf_counter()
    try:
        x, _ = linalg.cg(A, b, rtol=rtol, maxiter=limit, callback=count_up)
    except TypeError:                                    # CuPy before version 14
        x, _ = linalg.cg(A, b, tol=rtol, maxiter=limit, callback=count_up)
    cp.cuda.Device().synchronize()
    return x, count[0], time.perf_counter() - begun


def main(grid, rtol, limit):
    A = box_stencil(grid)
    b = cp.ones(grid**3)
    solve(A, b, 1e-2, limit)                             # compiles and warms up
    x, iterations, seconds = min((solve(A, b, rtol, limit) for _ in range(3)), key=lambda result: result[2])
    residual = float(cp.linalg.norm(b - A @ x) / cp.linalg.norm(b))
    print(1e3 * seconds / max(iterations, 1), iterations, residual, cp.__version__)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))
