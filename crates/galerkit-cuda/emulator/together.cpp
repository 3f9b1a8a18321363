// together.cpp: what threads do together: barriers of a block and of a cluster, shuffles and votes of a warp, waiting in a loop.
#include "launch.h"
#include <algorithm>

namespace emulated {
namespace {

// So many turns in a row that only wait: nobody will ever come.
constexpr size_t MOST_PAUSES = 20'000'000;

// Threads that are let go, for a moment.
std::vector<Thread *> some;

void open_barriers(Block &block) {
    if (block.at_barrier > 0 && block.at_barrier == block.alive) {
        block.at_barrier = 0;
        gather(block, some);
        release(some);
    }
    if (running.at_cluster_barrier > 0 && running.at_cluster_barrier == running.alive) {
        running.at_cluster_barrier = 0;
        for (auto &each : running.blocks) gather(*each, some);
        release(some);
    }
}

void barrier() {
    ++running.now->block->at_barrier;
    open_barriers(*running.now->block);
    wait();
}

void group_barrier(unsigned which, unsigned threads) {
    Thread *now = running.now;
    if (which == 0 || which > 15 || threads % 32 != 0) running.failure = "a barrier of groups that is not there: " + place(*now);
    std::vector<Thread *> &waiting = now->block->groups[which % 16];
    waiting.push_back(now);
    if (waiting.size() == threads) {
        std::sort(waiting.begin(), waiting.end(), [](const Thread *a, const Thread *b) { return a->index < b->index; });
        release(waiting);
        waiting.clear();
    }
    wait();
}

void cluster_barrier() {
    if (!running.launch->clustered) running.failure = "a barrier of clusters in a launch without: " + place(*running.now);
    ++running.at_cluster_barrier;
    open_barriers(*running.now->block);
    wait();
}

void pause() {
    running.queue.push_back(running.now);
    if (++running.pauses > MOST_PAUSES) running.failure = "threads wait for what never comes: " + place(*running.now);
    wait();
}

// What a lane learns once all of its mask have asked.
unsigned long long answer(const Thread &lane, const Thread *warp, unsigned lanes) {
    const Ask &ask = lane.ask;
    if (ask.deed == Deed::Meet) return 0;
    if (ask.deed == Deed::Shuffle) return warp[ask.source < lanes ? ask.source : lane.index % 32].ask.value;
    unsigned yes = 0, same = 0, there = 0;
    for (unsigned l = 0; l < lanes; ++l) {
        if (!(ask.mask >> l & 1)) continue;
        there |= 1u << l;
        if (warp[l].ask.value) yes |= 1u << l;
        if (warp[l].ask.value == ask.value) same |= 1u << l;
    }
    switch (ask.deed) {
        case Deed::Any: return yes != 0;
        case Deed::All: return yes == there;
        case Deed::Match: return same;
        default: return yes;
    }
}

// Answers the lanes of a mask if all of them have asked. Lanes that have ended are not waited for.
void answer_lanes(Block &block, unsigned which, unsigned mask) {
    Warp &state = block.warps[which];
    const unsigned lanes = std::min<size_t>(32, block.threads.size() - 32 * which), asking = mask & state.asking;
    Thread *warp = &block.threads[32 * which];
    if (mask & ~(state.ended | state.asking)) return;
    for (unsigned l = 0; l < lanes; ++l)
        if (asking >> l & 1 && warp[l].ask.mask != mask) return;
    for (unsigned l = 0; l < lanes; ++l)
        if (asking >> l & 1) some.push_back(&warp[l]);
    for (Thread *t : some) {
        if (t->ask.deed != some[0]->ask.deed) running.failure = "lanes of one warp ask for different things: " + place(*t);
        t->answer = answer(*t, warp, lanes);
    }
    state.asking &= ~mask;
    release(some);
}

unsigned long long together(const Ask &ask) {
    Thread &t = *running.now;
    const unsigned lane = t.index % 32;
    if (!(ask.mask >> lane & 1)) running.failure = "a lane that is not in its own mask: " + place(t);
    t.ask = ask;
    t.block->warps[t.index / 32].asking |= 1u << lane;
    answer_lanes(*t.block, t.index / 32, ask.mask);
    wait();
    return t.answer;
}

void *elsewhere(void *here, unsigned rank) {
    if (rank >= running.blocks.size()) { running.failure = "a block that is not there: " + place(*running.now); rank = 0; }
    Block &there = *running.blocks[rank];
    char *address = static_cast<char *>(here);
    if (address >= device.room && address < device.room + running.launch->room) return there.room.data() + (address - device.room);
    return there.copy.origin + (address - running.now->block->copy.origin);
}

}

void offer(Device &device) {
    device.barrier = barrier, device.cluster_barrier = cluster_barrier, device.group_barrier = group_barrier, device.pause = pause;
    device.together = together, device.elsewhere = elsewhere;
}

void end_of(Thread &t) {
    t.ended = true;
    --t.block->alive, --running.alive;
    running.pauses = 0;
    open_barriers(*t.block);
    Warp &warp = t.block->warps[t.index / 32];
    warp.ended |= 1u << t.index % 32;
    for (unsigned l = 0; l < 32; ++l)
        if (warp.asking >> l & 1) answer_lanes(*t.block, t.index / 32, t.block->threads[t.index / 32 * 32 + l].ask.mask);
}

}
