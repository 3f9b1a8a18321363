"""CuPy's GMRES on the complex shifted Laplacian of galerkit's gallery (7 points, n x n x n), Jacobi-preconditioned.

python3 cupy_gmres.py N K BETA RESTART CYCLES     prints milliseconds per iteration, iterations, true residual, version.
"""
import sys
import time

import cupy as cp
import cupyx.scipy.sparse as sp
import cupyx.scipy.sparse.linalg as sla

n, k, beta, restart, cycles = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
h = 1.0 / (n + 1)
diagonal = 6 - (k * h) ** 2 * (1 - 1j * beta)
i = cp.arange(n**3, dtype=cp.int64)
x, y, z = i % n, (i // n) % n, i // (n * n)
rows, cols, vals = [i], [i], [cp.full(n**3, diagonal, cp.complex128)]
for place, step in ((x, 1), (y, n), (z, n * n)):
    for inside, move in ((place > 0, -step), (place < n - 1, step)):
        rows.append(i[inside])
        cols.append(i[inside] + move)
        vals.append(cp.full(int(inside.sum()), -1, cp.complex128))
data = (cp.concatenate(vals), (cp.concatenate(rows).astype(cp.int32), cp.concatenate(cols).astype(cp.int32)))
A = sp.coo_matrix(data, shape=(n**3, n**3)).tocsr()
b = A @ cp.ones(n**3, cp.complex128)
M = sla.LinearOperator(A.shape, matvec=lambda v: v / diagonal, dtype=cp.complex128)
sla.gmres(A, b, M=M, restart=restart, maxiter=restart, rtol=1e-30)    # warm up
cp.cuda.Device().synchronize()
start = time.perf_counter()
solution, _ = sla.gmres(A, b, M=M, restart=restart, maxiter=restart * cycles, rtol=1e-30)
cp.cuda.Device().synchronize()
seconds = time.perf_counter() - start
residual = float(cp.linalg.norm(b - A @ solution) / cp.linalg.norm(b))
print(1e3 * seconds / (restart * cycles), restart * cycles, residual, cp.__version__)
