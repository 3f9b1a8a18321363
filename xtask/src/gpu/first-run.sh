#!/bin/bash
# What the first solve of each method costs on this machine, in seconds of the whole process: `first-run.sh [GALERKIT]`.
#   first    empty cache, no pack: everything is compiled
#   warm     the same again
#   size     another size after it, with how many modules that had to be compiled
#   packed   empty cache, with the pack beside the program (galerkit.kernels), at both sizes; "-" where there is none
# The last lines count the methods that miss a goal: more than a second over warm, and another size that compiles something.
# GRID and OTHER are the points along a side of the two systems; JOBS a part of the list, as "cg:jacobi gmres:ilu0".
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$here/galerkit" ] || (cd "$here" && python3 -m tarfile -e programs.txz) || exit 1
galerkit=${1:-$here/galerkit}
pack=${GALERKIT_KERNELS:-$here/galerkit.kernels}
GRID=${GRID:-40} OTHER=${OTHER:-47}
steady="cg fcg pipecg minres bicgstab idr" cyclic="gcr orthodir gmres cbgmres fgmres vpgcr"
usual=$(for method in $steady $cyclic; do echo "$method:jacobi"; done)
others=$(for method in cg bicgstab gmres; do for m in none block-jacobi_4 ssor_1 ilu0 chebyshev_3; do echo "$method:$m"; done; done)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# cache, pack, side, method, preconditioner: seconds
solve() {
    local begun=$EPOCHREALTIME
    GALERKIT_CACHE=$1 GALERKIT_KERNELS=$2 "$galerkit" solve "gallery:tetra?n=$3" --method "$4" --precond "$5" --device cuda \
        --rtol 1e-6 --max-iterations 40 --no-bandwidth --quiet >"$work/log" 2>&1
    [ $? -le 1 ] || { echo "FAILED: $(tail -n 1 "$work/log")" >&2; }
    echo "$begun $EPOCHREALTIME" | awk '{ printf "%.2f", $2 - $1 }'
}
modules() { find "$1" -name '*.cubin' | wc -l; }

slow=0 slow_packed=0 compiles=0 compiles_packed=0 all=0
echo "tetra $GRID^3 and $OTHER^3; $(date -u +%Y-%m-%dT%H:%M:%SZ)"
printf '%-24s %7s %7s %9s %9s %7s %9s %7s\n' method first warm 'first-warm' modules size 'compiled' packed
for job in ${JOBS:-$usual cg:ic0 $others}; do
    method=${job%%:*} precond=$(echo "${job#*:}" | tr _ :)
    cache=$work/cache.$method.${precond%%:*} empty=$work/empty.$method.${precond%%:*}
    mkdir -p "$cache" "$empty"
    first=$(solve "$cache" none "$GRID" "$method" "$precond")
    warm=$(solve "$cache" none "$GRID" "$method" "$precond")
    before=$(modules "$cache")
    size=$(solve "$cache" none "$OTHER" "$method" "$precond")
    fresh=$(($(modules "$cache") - before))
    packed=-
    if [ -f "$pack" ]; then
        packed=$(solve "$empty" "$pack" "$GRID" "$method" "$precond")
        made=$(modules "$empty")
        again=$(solve "$empty" "$pack" "$OTHER" "$method" "$precond")
        more=$(($(modules "$empty") - made))
        slow_packed=$((slow_packed + $(echo "$packed $warm" | awk '{ print ($1 - $2 > 1) }')))
        compiles_packed=$((compiles_packed + (more > 0)))
        packed="$packed ($made compiled), $again ($more compiled)"
    fi
    all=$((all + 1)) compiles=$((compiles + (fresh > 0)))
    slow=$((slow + $(echo "$first $warm" | awk '{ print ($1 - $2 > 1) }')))
    more=$(echo "$first $warm" | awk '{ printf "%.2f", $1 - $2 }')
    printf '%-24s %7s %7s %9s %9s %7s %9s %s\n' "$method $precond" "$first" "$warm" "$more" "$before" "$size" "$fresh" "$packed"
done
echo "of $all: $slow take more than 1 s over warm, $compiles compile for another size"
if [ -f "$pack" ]; then echo "with the pack: $slow_packed take more than 1 s over warm, $compiles_packed compile for another size"; fi
