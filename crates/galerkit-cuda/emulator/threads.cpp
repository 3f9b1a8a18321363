// threads.cpp: the threads of a launch as fibres, one at a time, each until it waits for others: at a barrier of its block or cluster,
// for lanes of its warp, or in a loop that pauses (together.cpp). Who may go on stands in a queue; barriers let their threads go in
// the order that GALERKIT_EMULATOR_ORDER says (ascending, descending, or a number: shuffled with it), so that a kernel whose result
// hangs on the order of threads shows it. If nobody can go on, or all only pause, the launch fails with the place.
// What it cannot show: effects of weak memory, real overlap, and time.
#include "launch.h"
#include <algorithm>
#include <random>

namespace emulated {

Running running;
Device device;

std::string place(const Thread &t) {
    return running.launch->name + ", block " + std::to_string(t.block->index) + ", thread " + std::to_string(t.index);
}

const std::string &asked_order() {
    static const char *asked = getenv("GALERKIT_EMULATOR_ORDER");
    static const std::string order = asked ? asked : "ascending";
    return order;
}

void release(std::vector<Thread *> &threads) {
    const std::string &order = asked_order();
    static std::mt19937 generator(unsigned(strtoul(order.c_str(), nullptr, 10)));
    if (order == "descending") std::reverse(threads.begin(), threads.end());
    else if (order != "ascending") std::shuffle(threads.begin(), threads.end(), generator);
    running.queue.insert(running.queue.end(), threads.begin(), threads.end());
    threads.clear();
    running.pauses = 0;
}

void gather(Block &block, std::vector<Thread *> &some) {
    for (Thread &t : block.threads)
        if (!t.ended) some.push_back(&t);
}

void wait() { running.now->fibre->let_go(); }

namespace {

std::vector<std::unique_ptr<Fibre>> fibres;
std::vector<Fibre *> idle;

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
    std::vector<Thread *> all;
    gather(*block, all);
    release(all);
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
    offer(device);
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
