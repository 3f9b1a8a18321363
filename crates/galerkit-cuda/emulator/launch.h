// launch.h: the launch that runs, as threads.cpp and together.cpp see it. There is one at a time: the driver sees to it.
#pragma once
#include "fibre.h"
#include "threads.h"
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace emulated {

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
    std::vector<Thread *> groups[16];                   // who waits at each barrier of a group
};

struct Running {
    const Launch *launch = nullptr;
    std::vector<std::unique_ptr<Block>> blocks;         // that are resident
    std::deque<Thread *> queue;                         // who may go on
    Thread *now = nullptr;
    unsigned alive = 0, begun = 0, at_cluster_barrier = 0;
    size_t pauses = 0;                                  // turns in a row in which threads only waited
    std::string failure;
};
extern Running running;
extern Device device;

std::string place(const Thread &t);                     // in words
const std::string &asked_order();                       // GALERKIT_EMULATOR_ORDER
void release(std::vector<Thread *> &threads);           // puts threads into the queue; they are given in ascending order
void gather(Block &block, std::vector<Thread *> &some); // its threads that have not ended
void wait();                                            // the running thread lets others run

// together.cpp: what a thread asks the device for, and what its end means to those who wait for it.
void offer(Device &device);
void end_of(Thread &t);

}
