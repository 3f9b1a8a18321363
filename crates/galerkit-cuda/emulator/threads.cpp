// threads.cpp: the threads of a launch as fibres, one at a time, each until it waits for others: at a barrier of its block or cluster,
// for lanes of its warp, or in a loop that pauses. Who may go on stands in a queue; barriers let their threads go in the order that
// GALERKIT_EMULATOR_ORDER says (ascending, descending, or a number: shuffled with it), so that a kernel whose result hangs on the
// order of threads shows it. If nobody can go on, or all only pause, the launch fails with the place.
// What it cannot show: effects of weak memory, real overlap, and time.
#include "threads.h"
#include "fibre.h"
#include <algorithm>
#include <deque>
#include <memory>
#include <random>

namespace emulated {
namespace {

// So many turns in a row that only pause: nobody will ever come.
constexpr size_t MOST_PAUSES = 20'000'000;

struct Block;
struct Thread {
    Block *block;
    unsigned index;
    Fibre *fibre = nullptr;            // none before it begins
    bool ended = false;
    Ask ask{};
    unsigned long long answer = 0;
};
struct Warp { unsigned ended, asking; };                // lanes
struct Block {
    unsigned index;
    Copy copy;
    std::vector<Thread> threads;
    std::vector<Warp> warps;
    std::vector<char> room;
    unsigned alive, at_barrier = 0;
};

// The launch that runs. There is one at a time: the driver sees to it.
struct Running {
    const Launch *launch = nullptr;
    std::vector<std::unique_ptr<Block>> blocks;
    std::deque<Thread *> queue;
    unsigned at_cluster_barrier = 0;
    Thread *now = nullptr;
    unsigned alive = 0, begun = 0;
    size_t pauses = 0;
    std::string failure;
};
Running running;
Device device;
std::vector<std::unique_ptr<Fibre>> fibres;
std::vector<Fibre *> idle;

std::string place(const Thread &t) {
    return running.launch->name + ", block " + std::to_string(t.block->index) + ", thread " + std::to_string(t.index);
}

const std::string &asked_order() {
    static const char *asked = getenv("GALERKIT_EMULATOR_ORDER");
    static const std::string order = asked ? asked : "ascending";
    return order;
}

// Lets threads go on that are given in ascending order, in the order that was asked for.
void release(std::vector<Thread *> &threads) {
    const std::string &order = asked_order();
    static std::mt19937 generator(unsigned(strtoul(order.c_str(), nullptr, 10)));
    if (order == "descending") std::reverse(threads.begin(), threads.end());
    else if (order != "ascending") std::shuffle(threads.begin(), threads.end(), generator);
    running.queue.insert(running.queue.end(), threads.begin(), threads.end());
    threads.clear();
    running.pauses = 0;
}

// Threads that are let go, for a moment.
std::vector<Thread *> some;

void wait() { running.now->fibre->let_go(); }

void gather(Block &block) {
    for (Thread &t : block.threads)
        if (!t.ended) some.push_back(&t);
}

void open_barriers(Block &block) {
    if (block.at_barrier > 0 && block.at_barrier == block.alive) {
        block.at_barrier = 0;
        gather(block);
        release(some);
    }
    if (running.at_cluster_barrier > 0 && running.at_cluster_barrier == running.alive) {
        running.at_cluster_barrier = 0;
        for (auto &each : running.blocks) gather(*each);
        release(some);
    }
}

// What a lane learns once all of its mask have asked.
unsigned long long answer(const Thread &lane, Thread *warp, unsigned lanes) {
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
    Thread *warp = &block.threads[32 * which];
    const unsigned lanes = std::min<size_t>(32, block.threads.size() - 32 * which);
    if (mask & ~(state.ended | state.asking)) return;
    for (unsigned l = 0; l < lanes; ++l)
        if (mask & state.asking & 1u << l && warp[l].ask.mask != mask) return;
    for (unsigned l = 0; l < lanes; ++l)
        if (mask & state.asking & 1u << l) some.push_back(&warp[l]);
    for (Thread *t : some) {
        if (t->ask.deed != some[0]->ask.deed) running.failure = "lanes of one warp ask for different things: " + place(*t);
        t->answer = answer(*t, warp, lanes);
    }
    state.asking &= ~mask;
    release(some);
}

void barrier() {
    ++running.now->block->at_barrier;
    open_barriers(*running.now->block);
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

// Others who waited may have waited for a thread that ends.
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

// What a fibre does: one thread after the other.
void threads_of_a_fibre() {
    for (;;) {
        Thread &t = *running.now;
        t.block->copy.kernel(running.launch->args.data());
        end_of(t);
        wait();
    }
}

Fibre *a_fibre() {
    if (idle.empty()) {
        fibres.push_back(std::make_unique<Fibre>(threads_of_a_fibre));
        return fibres.back().get();
    }
    Fibre *fibre = idle.back();
    idle.pop_back();
    return fibre;
}

void one_turn(Thread &t) {
    running.now = &t;
    if (!t.fibre) t.fibre = a_fibre();
    device.thread = {t.index, 0, 0};
    device.block = {t.block->index, 0, 0};
    device.room = t.block->room.data();
    t.fibre->enter();
    if (t.ended) idle.push_back(t.fibre);
}

// The next block comes.
void begin(const std::function<Copy(unsigned place)> &copy) {
    auto block = std::make_unique<Block>();
    const Launch &launch = *running.launch;
    const bool backwards = !launch.together && asked_order() != "ascending";
    block->index = backwards ? launch.blocks - 1 - running.begun : running.begun;
    block->copy = copy(unsigned(running.blocks.size())), block->alive = launch.threads;
    block->copy.bind(&device);
    block->room.assign(launch.room, char(0xff));
    ++running.begun, running.alive += launch.threads;
    for (unsigned t = 0; t < launch.threads; ++t) block->threads.push_back({block.get(), t});
    // Lanes beyond the last thread count as ended.
    for (unsigned first = 0; first < launch.threads; first += 32)
        block->warps.push_back({launch.threads - first < 32 ? ~0u << (launch.threads - first) : 0, 0});
    gather(*block);
    release(some);
    running.blocks.push_back(std::move(block));
}

bool another_may_come() {
    const Launch &launch = *running.launch;
    return running.begun < launch.blocks && (launch.together || running.blocks.size() < launch.most);
}

// Nobody is in the queue, and not all have ended.
void stuck() {
    for (auto &block : running.blocks)
        for (Thread &t : block->threads)
            if (!t.ended && running.failure.empty()) running.failure = "threads wait for others that have ended or wait too: " + place(t);
}

}

std::string run(const Launch &launch, const std::function<Copy(unsigned place)> &copy) {
    running = Running();
    running.launch = &launch;
    device.threads = {launch.threads, 1, 1};
    device.blocks = {launch.blocks, 1, 1};
    device.barrier = barrier, device.cluster_barrier = cluster_barrier, device.pause = pause;
    device.together = together, device.elsewhere = elsewhere;
    while (running.failure.empty() && (running.alive > 0 || running.begun < launch.blocks)) {
        if (running.alive == 0) running.blocks.clear();
        const bool all_wait = running.pauses > 2 * running.queue.size();
        if ((running.alive == 0 || launch.together || all_wait) && another_may_come()) {
            begin(copy);
        } else if (running.queue.empty()) {
            stuck();
        } else {
            Thread *next = running.queue.front();
            running.queue.pop_front();
            one_turn(*next);
        }
    }
    running.now = nullptr;
    return running.failure;
}

const char *whereabouts() {
    static std::string text;
    text = running.now ? place(*running.now) : "the host";
    return text.c_str();
}

}
