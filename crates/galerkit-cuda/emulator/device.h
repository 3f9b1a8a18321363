// device.h: what a compiled kernel and the emulated driver know of each other. Both sides include it.
#pragma once

namespace emulated {

struct Index { unsigned x, y, z; };

// What the 32 lanes of a warp do together.
enum class Deed { Meet, Shuffle, Ballot, All, Any, Match };
struct Ask {
    Deed deed;
    unsigned mask;                     // lanes that take part
    unsigned long long value;          // what this lane brings
    unsigned source;                   // Shuffle: the lane whose value it wants
};

// The running thread's place, and what it can ask for. One for the process: a kernel runs at a time, and of it a thread.
struct Device {
    Index thread, block, threads, blocks;
    void (*barrier)();                                   // of the block
    void (*group_barrier)(unsigned which, unsigned threads); // of so many threads of the block
    void (*cluster_barrier)();                           // of all blocks of a cluster
    void (*pause)();                                     // lets others run: in loops that wait
    unsigned long long (*together)(const Ask &);         // with the other lanes of the mask
    void *(*elsewhere)(void *here, unsigned rank);       // the same shared variable in another block of the cluster
    char *room;                                          // dynamic shared memory of the block
};

}
