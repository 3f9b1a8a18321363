#!/usr/bin/env bash
# Matrix-free products and CG iterations on the deformed cube beside deal.II and MFEM, in one run (workload W7 of the CPU peers).
#
#   PEERS=…/peers/cpu OUT=… VENV=… benches/matrix_free_peers.sh [UNKNOWNS_A_DIRECTION] [DEGREE...] > matrix-free-peers.txt
#
# PEERS is the folder of the peers' programs, OUT where they are built (its install.sh, or here if they are missing), VENV a Python
# environment with the wheel mfem. Debian's deal.II and the wheel of MFEM are built without SIMD for this processor.
set -euo pipefail
cd "$(dirname "$0")/.."
n=${1:-112}; shift || true
degrees=${*:-1 2 3 4 5 6 7 8}
[ -x "$OUT/mfem_pa" ] || (cd "$PEERS" && sh build_mfem.sh "$OUT" "$VENV") || true
[ -d "$OUT/dealii-build" ] || (cmake -S "$PEERS/dealii" -B "$OUT/dealii-build" -DCMAKE_BUILD_TYPE=Release && cmake --build "$OUT/dealii-build" -j2) >&2 || true
cargo build --release --quiet -p galerkit-fem --example matrix-free-speed
echo "# $(date -u +%F), commit $(git rev-parse --short HEAD), load $(cut -d' ' -f1-3 /proc/loadavg)"
for p in $degrees; do
  for threads in 1 2; do
    RAYON_NUM_THREADS=$threads target/release/examples/matrix-free-speed $((n * n * n)) "$p" "$p" curved cpu
    if [ -x "$OUT/dealii-build/dealii_p$p" ]; then
      mpirun --allow-run-as-root --oversubscribe -n $threads "$OUT/dealii-build/dealii_p$p" "$n" 1
    fi
  done
done
if [ -x "$OUT/mfem_pa" ]; then OMP_NUM_THREADS=1 "$OUT/mfem_pa" "$n" 0; fi
echo "# load at the end $(cut -d' ' -f1-3 /proc/loadavg)"
