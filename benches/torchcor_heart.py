"""TorchCor's monodomain solver with Mitchell and Schaeffer's cells on a cube of Kuhn's tetrahedra: milliseconds a step.

PYTHONPATH=FOLDER_OF_THE_UNPACKED_WHEEL python3 torchcor_heart.py [NODES_A_SIDE=40] [DT_MS=0.25] [STEPS=300] [WARM_UP=100] [TYPE=float64]

`galerkit heart` on the same mesh, cells, D and step (NODES_A_SIDE = 40):

galerkit heart --geometry slab --size 39,39,39 --dx 1 --anisotropy 1 --D 1 --cell mitchell-schaeffer --dt 0.25 --end 100 \
    --stimulus 'box=0,0,0,3,39,39' --device cuda --json -

Edges are 1 mm, D is 1 mm2/ms, phi starts as 1 where x <= 3. TorchCor's step is its own `Monodomain.step`: forward Euler for the cells, Crank and
Nicolson with a consistent mass for diffusion, CG with its Jacobi preconditioner to 1e-6. Two things are not TorchCor's, because they take
minutes and are not measured: the mesh is handed over as arrays instead of text files, and element matrices, which are its own, are put
together as tensors instead of Python lists. Modules that it imports for pictures and electrocardiograms are replaced where they are missing.
"""
import importlib
import itertools
import sys
import time
from unittest.mock import MagicMock

import numpy as np
import torch

NOT_NEEDED = ["matplotlib", "matplotlib.pyplot", "matplotlib.animation", "pyvista", "pandas", "pynvml",
              "torchcor.signalanalysis.signalanalysis.ecg_QS"]


def replace_missing(names):
    """Puts something that can be imported in the place of modules that are not there; which."""
    missing = []
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            sys.modules[name] = MagicMock()
            missing.append(name)
    return missing


def cube(side):
    """Points of a cube with edges of 1 mm, and six tetrahedra a cell: one for each order in which the axes can be walked."""
    points = np.stack(np.meshgrid(*[np.arange(side, dtype=float)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    stride = np.array([side * side, side, 1])
    corner = np.stack(np.meshgrid(*[np.arange(side - 1)] * 3, indexing="ij"), axis=-1).reshape(-1, 3) @ stride
    walks = [np.cumsum([0, *stride[list(order)]]) for order in itertools.permutations(range(3))]
    return points, np.concatenate([corner[:, None] + walk for walk in walks])


def together(matrices, sigma):
    """K and M from TorchCor's element matrices, as its own method makes them."""
    mass, stiffness = matrices.construct_local_matrices(sigma)
    nodes, n = matrices.tetrahedrons, matrices.n_vertices
    rows, columns = nodes[:, :, None].expand(-1, 4, 4), nodes[:, None, :].expand(-1, 4, 4)
    places = torch.stack([rows.reshape(-1), columns.reshape(-1)])
    return tuple(torch.sparse_coo_tensor(places, values.reshape(-1), (n, n)).coalesce() for values in (stiffness, mass))


def simulator(side, dt, dtype):
    """A run as `load_mesh` and `assemble` leave it, and its cells."""
    from torchcor.core import assemble
    from torchcor.core.conductivity import Conductivity
    from torchcor.core.mesh import Elems
    from torchcor.core.stimulation import Stimuli
    from torchcor.ionic.MitchellSchaeffer import MitchellSchaeffer
    from torchcor.simulator.monodomain import Monodomain

    assemble.Matrices3D.assemble_matrices = together
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    cells = MitchellSchaeffer(dt=dt, device=device, dtype=dtype)
    cells.tau_out = 6.0                                  # as in the paper and in galerkit; TorchCor has 5
    run = Monodomain(ionic_models=[cells], T=1e9, dt=dt, device=device, dtype=dtype)
    points, tetrahedra = cube(side)
    elements = Elems()
    elements.Tt.data, elements.Tt.idx = tetrahedra, np.arange(len(tetrahedra))
    elements.Tt.region = np.ones(len(tetrahedra), dtype=int)
    run.n_nodes, run.nodes = len(points), torch.from_numpy(points).to(device=device, dtype=dtype)
    run.elems, run.unique_regions = elements.to_torch(device), [1]
    run.regions = torch.ones(len(tetrahedra), dtype=torch.long, device=device)
    run.fibres = torch.tensor([[1.0, 0.0, 0.0]], device=device, dtype=dtype).repeat(len(tetrahedra), 1)
    run.stimuli, run.conductivity = Stimuli(run.n_nodes, device, dtype), Conductivity(run.regions, dtype=dtype)
    cells.region_ids, cells.node_indices = [1], torch.arange(run.n_nodes, device=device)
    run.add_conductivity([1], run.Chi * run.Cm, run.Chi * run.Cm)             # D = sigma / (Chi Cm) = 1
    run.assemble()
    return run, cells


def begin(run, cells):
    """The potential at the start, excited on one side."""
    cells.initialize(run.n_nodes)
    u = torch.where(run.nodes[:, 0] <= 3.0, 1.0, 0.0).to(run.dtype)
    run.cg.initialize(x=u, linear_guess=True)
    return u


def steps(run, u, first, count, tolerance):
    """So many steps: the potential, CG iterations and seconds."""
    iterations = 0
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    begun = time.perf_counter()
    for k in range(first, first + count):
        u, taken, _, _ = run.step(u, k * run.dt, 0.0, tolerance, 500)
        iterations += taken + 1                          # it counts those after the first
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return u, iterations, time.perf_counter() - begun


def main(side=40, dt=0.25, count=300, warm_up=100, dtype="float64"):
    missing = replace_missing(NOT_NEEDED)
    run, cells = simulator(side, dt, getattr(torch, dtype))
    tolerance = 1e-6 if dtype == "float64" else 1e-5
    way = "cells compiled by torch.compile"
    try:
        u, _, _ = steps(run, begin(run, cells), 0, warm_up, tolerance)
    except Exception as reason:                          # no compiler or Triton on this machine
        way = f"cells not compiled ({type(reason).__name__})"
        cells.differentiate = type(cells).differentiate.__get__(cells)
        u, _, _ = steps(run, begin(run, cells), 0, warm_up, tolerance)
    u, iterations, seconds = steps(run, u, warm_up, count, tolerance)
    place = torch.cuda.get_device_name() if torch.cuda.is_available() else f"CPU, {torch.get_num_threads()} threads"
    print(f"{place}, torch {torch.__version__}, {dtype}, {way}")
    print(f"replaced: {', '.join(missing) or 'nothing'}")
    print(f"excited nodes {float((u > 0.5).double().mean()):.3f}, largest phi {float(u.max()):.4f} after {dt * (warm_up + count):g} ms")
    print(f"{run.n_nodes} nodes, dt {dt:g} ms: {1e3 * seconds / count:.3f} ms a step, {iterations / count:.1f} CG iterations a step, "
          f"{seconds / count / dt * 1e3:.2f} wall seconds a simulated second")


if __name__ == "__main__":
    kinds = [int, float, int, int, str]
    main(*[kind(given) for kind, given in zip(kinds, sys.argv[1:])])
