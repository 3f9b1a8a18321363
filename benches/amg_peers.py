"""Algebraic multigrid beside AMGCL, PETSc's GAMG and hypre: Poisson's equation on n^3 points with 7 and 27 of them, b of ones, CG to 1e-8.

PEERS=… PEERS_DATA=… python benches/amg_peers.py [--n 100] [--rounds 3] [--threads 2] [--galerkit target/release/galerkit]

The peers are the programs of their install script (amgcl_peer, petsc_real in $PEERS/bin), the matrices are written to $PEERS_DATA in their format. In
every round each program runs once, so that a drift of the machine meets all of them; seconds are medians. Memory is the peak of a process, its matrix
included, by rows.
"""
import argparse, json, os, statistics, subprocess, sys, tempfile
import numpy as np, scipy.sparse as sp

CG = "-ksp_type cg -ksp_norm_type unpreconditioned".split()
HYPRE = "-pc_type hypre -pc_hypre_type boomeramg -pc_hypre_boomeramg_strong_threshold 0.5 -pc_hypre_boomeramg_coarsen_type HMIS " \
        "-pc_hypre_boomeramg_interp_type ext+i -pc_hypre_boomeramg_P_max 4 -pc_hypre_boomeramg_agg_nl 1"


def poisson(n, points):
    if points == 7:
        T = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
        I = sp.identity(n)
        return (sp.kron(sp.kron(T, I), I) + sp.kron(sp.kron(I, T), I) + sp.kron(sp.kron(I, I), T)).tocsr()
    S = sp.diags([1.0, 1.0, 1.0], [-1, 0, 1], shape=(n, n))
    return (27.0 * sp.identity(n**3) - sp.kron(sp.kron(S, S), S)).tocsr()


def write(A, path):
    """The file of the peers: four 64-bit numbers (version, rows, entries, complex), values, starts, columns."""
    if os.path.exists(path):
        return
    A.sort_indices()
    with open(path, "wb") as file:
        np.array([0x47414C4B, A.shape[0], A.nnz, 0], dtype=np.int64).tofile(file)
        A.data.astype(np.float64).tofile(file)
        A.indptr.astype(np.int32).tofile(file)
        A.indices.astype(np.int32).tofile(file)


def run(command, environment):
    """Standard output, and the peak of memory of all its processes."""
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=environment)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        out.seek(0)
        return out.read(), usage.ru_maxrss * 1024


def peer(command, environment, processes=1):
    """By label: set-up, solve, iterations, and the peak of so many processes of about the same size."""
    text, peak = run(command, environment)
    found = {}
    for line in text.splitlines():
        if not line.startswith("RESULT,"):
            continue
        _, label, workload, _, _, median, _, _, iterations, note = line.split(",", 9)
        row = found.setdefault(label, [0.0, 0.0, 0, processes * peak])
        row[0 if workload.endswith("setup") else 1] = float(median)
        row[2] = max(row[2], int(iterations))
        if "NOT" in note:
            row[2] = -1
    return found


def galerkit(program, problem, precond, environment):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "r.json")
        command = [program, "solve", problem, "--method", "cg", "--precond", precond, "--rtol", "1e-8", "--json", path]
        _, peak = run(command, environment)
        report = json.load(open(path))
    return {f"galerkit {precond}": [report["setup_seconds"], report["solve_seconds"], report["iterations"], peak]}


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--n", type=int, default=100)
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--threads", type=int, default=2)
    words.add_argument("--galerkit", default="target/release/galerkit")
    words.add_argument("--precond", nargs="*", default=["amg", "amg,precision=f32", "jacobi"])
    words = words.parse_args()
    peers, data, threads = os.environ["PEERS"], os.environ["PEERS_DATA"], str(words.threads)
    environment = dict(os.environ, PEERS_REPS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    for name in ["OMP_NUM_THREADS", "RAYON_NUM_THREADS"]:
        environment[name] = threads
    ranks = dict(environment, OMP_NUM_THREADS="1")
    for points in [7, 27]:
        case, n = f"poisson{points}_{words.n}", words.n
        write(poisson(n, points), os.path.join(data, case + ".csr"))
        mpi = ["mpirun", "--quiet", "-n", threads, f"{peers}/bin/petsc_real"]
        rows = {}
        for _ in range(words.rounds):
            found = {}
            for precond in words.precond:
                found |= galerkit(words.galerkit, f"gallery:poisson3d?n={n}&stencil={points}", precond, environment)
            found |= peer([f"{peers}/bin/amgcl_peer", "W3", case], environment)
            found |= peer(mpi + ["petsc-gamg", "W3", case, "solve"] + CG + ["-pc_type", "gamg"], ranks, words.threads)
            found |= peer(mpi + ["hypre-boomeramg", "W3", case, "solve"] + CG + HYPRE.split(), ranks, words.threads)
            for name, row in found.items():
                rows.setdefault(name, []).append(row)
                print(points, name, *(f"{x:.4g}" for x in row), file=sys.stderr, flush=True)
        print(f"\n{points} points, {n}^3\n\n| program | set-up s | solve s | iterations | together s | peak bytes a row |\n|---|---|---|---|---|---|")
        for name, all_of in rows.items():
            set_up, solve, count, peak = (statistics.median(column) for column in zip(*all_of))
            print(f"| {name} | {set_up:.2f} | {solve:.2f} | {count:.0f} | {set_up + solve:.2f} | {peak / n**3:.0f} |")


main()
