"""finitewave's Aliev-Panfilov tissue (finite differences, explicit Euler, Numba) on a cube: wall seconds a simulated second.

python3 finitewave_heart.py [NODES_A_SIDE=27] [DT_MS=0.129] [END_MS=1000] [THREADS=2]

`galerkit heart` with the same cells, D, spacing, step and threads (NODES_A_SIDE = 27):

galerkit heart --geometry slab --size 26,26,26 --dx 1 --anisotropy 1 --D 1 --alpha 0.1 --b 0.1 --gamma 0.01 --dt 0.129 --end 1000 \
    --stimulus 'box=0,0,0,3,26,26' --device cpu --threads 2 --json -

Spacing is 1 mm, D is 1 mm2/ms, phi starts as 1 where x <= 3; 12.9 ms are one unit of the model's time. Explicit steps are stable below
h²/(6 D), 0.167 ms here. Set-up and what Numba compiles are not measured.
"""
import os
import sys
import time

UNIT = 12.9


def main(side=27, dt=0.129, end=1000.0, threads=2):
    os.environ["NUMBA_NUM_THREADS"] = str(threads)       # before Numba is imported
    import finitewave as fw

    model = fw.AlievPanfilov()
    model.cardiac_tissue = fw.CardiacTissue([side + 2] * 3)   # with a layer around it that is no tissue
    model.dt, model.dr, model.D_model, model.prog_bar = dt / UNIT, 1.0, UNIT, False
    model.stim_sequence = fw.StimSequence()
    model.stim_sequence.add_stim(fw.StimVoltageCoord(0, 1, 1, 5, 1, side + 1, 1, side + 1))
    model.t_max = 20 * model.dt
    model.run(num_of_threads=threads)                    # compiles
    before, model.t_max = model.step, end / UNIT
    begun, cpu = time.perf_counter(), time.process_time()
    model.run(initialize=False, num_of_threads=threads)
    seconds, cpu, steps = time.perf_counter() - begun, time.process_time() - cpu, model.step - before
    nodes = int((model.cardiac_tissue.mesh == 1).sum())
    print(f"finitewave, {nodes} nodes, dt {dt:g} ms, {threads} threads: {steps} steps, {1e6 * seconds / steps:.1f} us a step, "
          f"{1e6 * cpu / steps:.1f} us of the CPU, "
          f"{1e3 * seconds / (steps * dt):.3f} wall seconds a simulated second, largest phi {model.u.max():.4f}, "
          f"excited {float((model.u > 0.5).sum()) / nodes:.3f}")


if __name__ == "__main__":
    kinds = [int, float, float, int]
    main(*[kind(given) for kind, given in zip(kinds, sys.argv[1:])])
