#!/bin/bash
# Made by `cargo xtask gpu`; runs on a GPU machine without Rust: bench.sh GROUP... writes GROUP.txt for each group of benchmarks into
# $OUT, every command with its raw output. Without a name it lists them. CuPy, where Python has it, runs beside.
#   LIMIT=N     seconds that one command may take (200)
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$here/galerkit" ] || (cd "$here" && python3 -m tarfile -e programs.txz) || exit 1
OUT=${OUT:-$here/results}
LIMIT=${LIMIT:-200}
PATH=$here:$here/timed:$here/peers:$PATH:/usr/local/cuda/bin
mkdir -p "$OUT"
groups=$(sed -n 's/^\([a-z0-9-]*\)() { # \(.*\)$/\1\t\2/p' "$0")
[ $# -gt 0 ] || { echo "$groups"; exit 0; }

# command...: runs it, with its output in the group's file.
run() {
    local begun=$EPOCHREALTIME
    echo "\$ $*" >>"$file"
    timeout "$LIMIT" "$@" >>"$file" 2>&1
    echo "$? $begun $EPOCHREALTIME" | awk '{ printf "exit code %d, %.2f s\n\n", $1, $3 - $2 }' >>"$file"
}
# peer script and its arguments, if Python has CuPy
peer() { run python3 "$here/peers/$1" "${@:2}"; }
grid() { echo "gallery:poisson3d?n=$1&stencil=$2"; }

cg() { # CG with Jacobi in time an iteration, CuPy beside
    run galerkit bench cg --device cuda "$(grid 32 27)" "$(grid 64 27)" "$(grid 128 27)" "$(grid 200 27)" "$(grid 256 27)"
}
spmv() { # products beside cuSPARSE
    run galerkit bench spmv --device cuda "$(grid 128 27)" "$(grid 200 27)" 'gallery:tetra?n=128' 'gallery:tetra?n=128&order=random'
}
krylov() { # every method at 32³; complex systems beside CuPy's GMRES and 16 threads
    run galerkit bench krylov "$(grid 32 27)" --rtol 1e-13 --device cuda --repetitions 5 \
        --methods cg,fcg,minres,bicgstab,gmres:30,orthodir:30,gcr:30,fgmres:30,idr:4
    for n in 100 200; do
        local matrix="gallery:shifted_laplace3d?n=$n&k=20&beta=0.5" methods=gmres:30,cbgmres:30,orthodir:30
        run galerkit bench krylov "$matrix" --methods $methods --device cuda --repetitions 3 --max-products 120
        peer cupy_gmres.py $n 20 0.5 30 2
        run galerkit bench krylov "$matrix" --methods $methods --device cpu --repetitions 1 --max-products 60
    done
}
living() { # prepared systems, new values, several right-hand sides, the time loop
    run living cuda 32 37 64 80 128
}
end-to-end() { # host arrays to x on the host, CuPy beside
    run end-to-end cuda 128 200
    peer cupy_end_to_end.py 128 200
}
born() { # problems that the GPU makes itself
    run end-to-end born cuda 128 200 432
}
soak() { # a million small solves
    run soak 1000000 cuda
}
matrix-free() { # products and CG iterations without a matrix, 50 M unknowns and more; the host prepares several at once
    for p in 2 3 4 5 6 7 8; do
        turns "matrix-free-speed 50000000 $p $p affine cuda" "matrix-free-speed 50000000 $p $p curved cuda"
    done
    turns "matrix-free-speed 30000000 2 5 affine cuda hp" "matrix-free-speed 30000000 4 8 affine cuda hp"
}
lowest() { # the same at degree 1, which takes minutes to prepare
    turns "matrix-free-speed 50000000 1 1 affine cuda" "matrix-free-speed 50000000 1 1 curved cuda"
}
# commands whose set-up goes side by side and what they time does not
turns() {
    local all=$file part job
    for job in "$@"; do
        (file=$OUT/.turn.${job// /-} && TURN=$OUT/.turn run $job) &
    done
    wait
    for part in "$OUT"/.turn.*; do cat "$part" >>"$all" && rm "$part"; done
}
profile() { # Nsight Compute: bytes, time and registers of matrix-free products and of what is between them
    local counters=dram__bytes.sum,gpu__time_duration.sum,launch__registers_per_thread,launch__grid_size
    for job in "2 2 affine" "7 7 affine" "2 2 curved" "7 7 curved"; do
        LIMIT=60 run ncu --csv --metrics $counters --launch-skip 12 --launch-count 12 matrix-free-speed 8000000 $job cuda
    done
}
assembled() { # the same beside the assembled matrix
    run matrix-free-speed 1500000 1 6 affine cuda assembled
    run assembly-speed 1000000 1 8 affine
}
poisson() { # finite elements from the mesh to the picture by phase
    for again in 1 2; do
        run galerkit poisson --domain cube --cells 16 --degree 6 --rhs 1 --device cuda --rtol 1e-8
    done
    run galerkit poisson --domain cube --cells 16 --degree 6 --rhs 1 --device cuda --rtol 1e-5 --precision f32 --operator matrix-free
    run galerkit poisson --domain cube --cells 3 --refine 4 --degree 6 --rhs 1 --operator matrix-free --precond multigrid \
        --device cuda --png "$OUT/.u.png"
}
hpfem() { # source 000's experiment to tens of millions of unknowns
    # Interrupted it prints what it has.
    LIMIT=$((LIMIT + 20)) run timeout -s INT "$LIMIT" galerkit reproduce hpfem --device cuda --max-unknowns 20000000 --seconds 6
}
heart() { # seconds a simulated second of slabs and of a heart with slivers, watched and not; speed of the front
    local usual=(--anisotropy 0.25 --every 100 --stimulus 'box=0,0,0,4,200,200;every=500;count=20' --device cuda -q --json -)
    for side in 36 79 170; do
        local end=$((side < 100 ? 10000 : 1000)) slab=(--geometry slab --dx 1 --size $side,$side,$side)
        for more in "" "--rtol 1e-6" "--precision hybrid"; do
            beat "${slab[@]}" --end 50 $more "${usual[@]}" >>"$OUT/.first"
            beat "${slab[@]}" --end $end $more "${usual[@]}" >>"$file"
        done
        LIMIT=100 watched "${slab[@]}" --end $((end / 2)) "${usual[@]}" >>"$file"
        beat "${slab[@]}" --end $((side < 100 ? 1000 : 200)) --scheme newton "${usual[@]}" >>"$file"
    done
    for mesh in "$here"/data/meshes_heart/*.msh.gz; do
        for again in 1 2; do beat --mesh "$mesh" --unit cm --end 5000 --stimulus 'sphere=0,0,-12,6;every=500;count=10' \
            --device cuda -q --json - >>"$file"; done
    done
    for more in "" "--rtol 1e-6" "--precision hybrid" "--scheme newton"; do
        for along in "" "--anisotropy 0.25"; do
            beat cv --geometry slab --size 120,6,6 --dx 1 --device cuda -q --json - $along $more >>"$file"
        done
    done
}
# arguments of `galerkit heart`: one line of what it measured
beat() {
    local json
    json=$(timeout "$LIMIT" galerkit heart "$@" 2>"$OUT/.said") || cat "$OUT/.said"
    echo "$json" | python3 -c '
import json, sys
text = sys.stdin.read()
try:
    run = json.loads(text)
    names = ["nodes", "elements", "steps", "newton_iterations", "cg_iterations", "front_speed", "speed_error",
             "wall_seconds_per_simulated_second"]
    said = " ".join(f"{name} {run[name]}" for name in names if run.get(name) is not None)
except (ValueError, TypeError):
    said = text.strip()[-400:]
print("heart", *sys.argv[1:], ":", said)' "$@"
}
# the same with a viewer at 30 Hz beside it unseen
watched() {
    echo "\$ galerkit heart watched $*"
    timeout "$LIMIT" galerkit heart watched "$@" 2>&1
}
assembly() { # tetrahedra as in the heart's scheme newton
    run heart-assembly-speed 180000 1000000
    run heart-assembly-speed 180000 1000000
}
acoustics() { # a sweep, the car in 3D, wavelengths across
    run galerkit helmholtz --geometry car --sweep 50:500:5 --device cuda
    for cells in 19 41; do run galerkit helmholtz --geometry car --dimension 3 --degree 2 --device cuda --frequency 400 --cells $cells; done
    run galerkit helmholtz --geometry square --cells 150 --degree 4 --wavenumber 377 --exact plane:0.4 --device cuda
    run galerkit helmholtz --geometry cube --cells 22 --degree 4 --wavenumber 62.8 --exact plane:1,0.3,0.2 --device cuda
}
amg() { # algebraic multigrid: set-up by stage with checksums, solves
    run multigrid 464 repeats=3 quick
    run multigrid 464 f32 repeats=3 quick
    run multigrid 100 200
    run multigrid 27 100 200
    peer cupy_spgemm.py 100 200
    for n in 256 464; do
        run galerkit solve "$(grid $n 7)" --method cg --precond amg,precision=f32 --rtol 1e-8 --device cuda
    done
    run galerkit solve "$(grid 200 27)" --method cg --precond amg,precision=f32 --rtol 1e-8 --device cuda
}

for group in "$@"; do
    grep -q "^$group	" <<<"$groups" || { echo "no group '$group': $0 lists them"; exit 2; }
    file=$OUT/$group.txt
    echo "# $(nvidia-smi --query-gpu=name --format=csv,noheader), $(date -u +%Y-%m-%d), commit $(head -c 8 "$here/commit.txt")" >"$file"
    begun=$SECONDS
    $group
    echo "$group: $((SECONDS - begun)) s"
done
