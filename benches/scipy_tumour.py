"""SciPy's spilu + BiCGSTAB on the run of `galerkit tumour`: the same matrices, steps and tolerance, set-up counted.

python3 scipy_tumour.py [SIDE [DAYS [DT]]]     160 elements a side, 180 days and half a day a step unless told; beside it
galerkit tumour --elements SIDE --days DAYS --dt DT --solver modal --probe 3,4 --probe 4.5,4.2 --json -
galerkit tumour --elements SIDE --days DAYS --dt DT --solver ilu --probe 3,4 --probe 4.5,4.2 --json -

Prints seconds of set-up and of all, iterations, mass and the probes, which must be those of galerkit.
"""
import sys
import time

import numpy as np
import scipy
import scipy.sparse as sp
import scipy.sparse.linalg as sla

side = int(sys.argv[1]) if len(sys.argv) > 1 else 160
days = float(sys.argv[2]) if len(sys.argv) > 2 else 180.0
dt = float(sys.argv[3]) if len(sys.argv) > 3 else 0.5
rho, eta, length, rtol = 0.012, 0.2, 8.0, 1e-10
g = (3 + 3**0.5) / 6
h = length / side
white, grey = 0.0065, 0.0013
gauss = (np.array([-1.0, 1.0]) / 3**0.5 + 1) / 2


def line(diffusion):
    """C0 and C2 of an interval in `side` elements with D of each, and D at Gauss points."""
    C0, C2 = sp.lil_matrix((2 * side, 2 * side)), sp.lil_matrix((2 * side, 2 * side))
    for e in range(side):
        jump = diffusion[e + 1] / diffusion[e] if e + 1 < side else 1.0
        unknowns = [max(2 * e - 1, 0), 2 * e if e > 0 else None, 2 * e + 1, 2 * e + 2 if e + 1 < side else None]
        for k, s in enumerate(gauss):
            values = [1 - 3*s*s + 2*s**3, h*(s - 2*s*s + s**3), 3*s*s - 2*s**3, jump*h*(s**3 - s*s)]
            seconds = [(12*s - 6)/h**2, (6*s - 4)/h, (6 - 12*s)/h**2, jump*(6*s - 2)/h]
            for j, value, second in zip(unknowns, values, seconds):
                if j is not None:
                    C0[2*e + k, j] = value
                    C2[2*e + k, j] = second
    return C0.tocsr(), C2.tocsr(), sp.diags(np.repeat(diffusion, 2))


def interpolated(centre):
    """Values and slopes of a source along one axis at the nodes."""
    x = np.linspace(0, length, side + 1)
    value = np.exp(-((x - centre) / eta)**2) / (eta * np.pi**0.5)
    slope = -2 * (x - centre) / eta**2 * value
    a = np.zeros(2 * side)
    a[0], a[2*np.arange(1, side + 1) - 1], a[2*np.arange(1, side)] = value[0], value[1:], slope[1:-1]
    return a


def at(a, point):
    """The spline at a point."""
    def row(x):
        e = min(int(x / h), side - 1)
        s = x / h - e
        jump = diffusion[e + 1] / diffusion[e] if e + 1 < side else 1.0
        v = np.zeros(2 * side)
        v[max(2*e - 1, 0)] = 1 - 3*s*s + 2*s**3
        v[2*e + 1] = 3*s*s - 2*s**3
        if e > 0:
            v[2*e] = h*(s - 2*s*s + s**3)
        return v, e, s, jump
    out = []
    for axis, x in enumerate(point):
        v, e, s, jump = row(x)
        if e + 1 < side:
            v[2*e + 2] = (jump if axis == 0 else 1.0) * h*(s**3 - s*s)
        out.append(v)
    return out[0] @ a.reshape(2 * side, 2 * side) @ out[1]


diffusion = np.where(np.arange(side) < side // 2, white, grey)
begun = time.perf_counter()
C0x, C2x, D = line(diffusion)
C0y, C2y, _ = line(np.ones(side))
A0 = sp.kron(C0x, C0y, "csr")
B = (sp.kron(D @ C2x, C0y, "csr") + sp.kron(D @ C0x, C2y, "csr") + rho * A0).tocsr()
A_b, A = (A0 - dt * B).tocsr(), (A0 - g * dt * B).tocsr()
factors = [sla.spilu(matrix.tocsc()) for matrix in (A_b, A)]
M_b, M = (sla.LinearOperator(A.shape, factor.solve) for factor in factors)
setup = time.perf_counter() - begun
iterations = 0


def count(_):
    global iterations
    iterations += 1


def stage(matrix, preconditioner, v):
    y, info = sla.bicgstab(matrix, A0 @ v, x0=v, rtol=rtol, atol=0.0, M=preconditioner, callback=count)
    assert info == 0, info
    return y


a = np.kron(interpolated(3.0), interpolated(4.0))
steps = round(days / dt)
for step in range(steps):
    if step < 2:
        a = stage(A_b, M_b, a)
        continue
    y1 = stage(A, M, a)
    v = a - (3**0.5 / 3 / g) * (y1 - a)
    y2 = stage(A, M, v)
    a = a + ((y1 - a) + (y2 - v)) / (2 * g)
total = time.perf_counter() - begun
mass = np.full(4 * side * side, h * h / 4) @ (A0 @ a)
print(f"scipy {scipy.__version__}: {side} x {side} elements, {steps} steps: {setup:.3f} s of set-up, {total:.3f} s in all, "
      f"{iterations} iterations, mass {mass:.12f}, probes {at(a, [3.0, 4.0]):.12e} {at(a, [4.5, 4.2]):.12e}")
