// threads.h: runs the threads of one launch; see threads.cpp.
#pragma once
#include "device.h"
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace emulated {

// A block's own copy of a kernel.
struct Copy {
    void (*bind)(Device *);
    void (*kernel)(const void *args);
    char *origin;                      // an address that every copy has: tells how far apart they are
};

struct Launch {
    std::string name;
    unsigned blocks, threads;
    size_t room;                       // bytes of dynamic shared memory
    bool together;                     // blocks begin together and may wait for each other
    unsigned most;                     // blocks that there is room for at a time
    bool clustered;
    std::vector<char> args;
};

// Runs it to its end; an empty text, or what went wrong. Blocks that are resident at the same time have a copy each, by their places.
// Others come one after the other, unless all threads of those that are there only wait: then one more comes, while there is room.
std::string run(const Launch &launch, const std::function<Copy(unsigned place)> &copy);

// Where a fault happened, for the handler of signals.
const char *whereabouts();

}
