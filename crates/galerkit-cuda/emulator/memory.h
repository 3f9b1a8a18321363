// memory.h: device memory that tells who leaves it: each buffer ends where a page begins that nobody may touch (up to 15 bytes before
// it, because buffers begin at multiples of 16), and begins full of 0xff bytes: NaNs and columns that no matrix has.
#pragma once
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <sys/mman.h>

namespace emulated {

class Memory {
public:
    const size_t all, failing;

    // So many bytes; an allocation that fails, counted from 1 (0: none does); and bytes that another process takes as soon as somebody
    // has asked how many are free.
    Memory(size_t all, size_t failing, size_t taken_by_others) : all(all), failing(failing), others_want(taken_by_others) {}

    // Null if there is no room.
    char *take(size_t bytes) {
        const size_t room = (bytes + 15) / 16 * 16, pages = (room + PAGE - 1) / PAGE * PAGE;
        {
            std::lock_guard hold(lock);
            if (++asked == failing || used + pages > all) return nullptr;
        }
        void *mapped = mmap(nullptr, pages + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) return nullptr;
        char *end = static_cast<char *>(mapped) + pages, *begin = end - room;
        mprotect(end, PAGE, PROT_NONE);
        memset(begin, 0xff, room);
        std::lock_guard hold(lock);
        taken[begin] = {static_cast<char *>(mapped), pages + PAGE};
        used += pages;
        return begin;
    }
    bool give_back(char *begin) {
        std::lock_guard hold(lock);
        auto found = taken.find(begin);
        if (found == taken.end()) return false;
        munmap(found->second.first, found->second.second);
        used -= found->second.second - PAGE;
        taken.erase(found);
        return true;
    }
    // Whether an address is inside of something that was taken.
    bool has(const void *address) {
        const char *at = static_cast<const char *>(address);
        std::lock_guard hold(lock);
        auto behind = taken.upper_bound(const_cast<char *>(at));
        if (behind == taken.begin()) return false;
        const auto &[mapped, size] = std::prev(behind)->second;
        return at < mapped + size;
    }
    // Bytes that are free now; what others want is gone behind the answer.
    size_t look() {
        std::lock_guard hold(lock);
        const size_t free = all - used;
        const size_t gone = others_want < free ? others_want : free;
        used += gone;
        others_want = 0;
        return free;
    }

private:
    static constexpr size_t PAGE = 4096;
    std::mutex lock;
    std::map<char *, std::pair<char *, size_t>> taken;
    size_t used = 0, asked = 0, others_want;
};

}
