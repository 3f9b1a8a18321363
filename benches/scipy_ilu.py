"""SciPy's spilu + BiCGSTAB on the convection-diffusion problem of galerkit's gallery (7 points, n x n x n, upwind).

python3 scipy_ilu.py FILE.mtx      prints seconds of the factorisation, of the solve, iterations, true residual, version.
"""
import sys
import time

import numpy as np
import scipy
import scipy.io
import scipy.sparse.linalg as sla

A = scipy.io.mmread(sys.argv[1]).tocsc()
b = A @ np.ones(A.shape[0])
start = time.perf_counter()
factors = sla.spilu(A, drop_tol=0.0, fill_factor=1.0)
setup = time.perf_counter() - start
count = [0]
start = time.perf_counter()
x, _ = sla.bicgstab(A.tocsr(), b, rtol=1e-8, maxiter=2000, M=sla.LinearOperator(A.shape, factors.solve),
                    callback=lambda _: count.__setitem__(0, count[0] + 1))
print(setup, time.perf_counter() - start, count[0], np.linalg.norm(b - A @ x) / np.linalg.norm(b), scipy.__version__)
