// stream.h: streams of the emulated GPU. Copies wait until somebody waits for them, or until the next kernel of their stream: so a
// program that uses a buffer too early, or fills one again that is still to be copied, gets wrong numbers here as it may on a GPU.
#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace emulated {

enum Result { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_IMAGE = 200, NO_BINARY_FOR_GPU = 209, NOT_FOUND = 500, LAUNCH_FAILED = 719, NOT_SUPPORTED = 801 };
using Work = std::function<Result()>;
struct Graph { std::vector<Work> work; };

class Stream;

// A place in the work of a stream; in none, it has been reached.
struct Mark {
    Stream *stream = nullptr;
    size_t place = 0;
    Result reach() const;
};

class Stream {
public:
    Graph *captured = nullptr;

    // Streams are not deleted: marks may be left in them.
    static Stream *make() {
        std::lock_guard hold(all_lock());
        return *all().insert(new Stream).first;
    }
    static void forget(Stream *stream) {
        std::lock_guard hold(all_lock());
        all().erase(stream);
    }
    static void finish_all() {
        std::set<Stream *> streams;
        {
            std::lock_guard hold(all_lock());
            streams = all();
        }
        for (Stream *stream : streams) stream->finish();
    }

    // Does it now, after what was put off; or notes it for the graph that is being captured.
    Result queue(const Work &work) {
        if (captured) return note(work);
        if (const Result result = finish()) return result;
        return work();
    }
    // Does it as late as it may.
    Result put_off(const Work &work) {
        if (captured) return note(work);
        std::lock_guard hold(lock);
        late.push_back(work);
        return SUCCESS;
    }
    Mark mark() {
        std::lock_guard hold(lock);
        return {this, done + late.size()};
    }
    Result finish() { return finish_to(mark().place); }
    Result finish_to(size_t place) {
        std::lock_guard hold(lock);
        Result result = SUCCESS;
        while (done < place && !late.empty()) {
            const Work work = std::move(late.front());
            late.pop_front();
            ++done;
            if (const Result failed = work()) result = failed;
        }
        return result;
    }

private:
    std::recursive_mutex lock;
    std::deque<Work> late;
    size_t done = 0;

    Result note(const Work &work) {
        captured->work.push_back(work);
        return SUCCESS;
    }
    static std::set<Stream *> &all() { static std::set<Stream *> streams; return streams; }
    static std::mutex &all_lock() { static std::mutex lock; return lock; }
};

inline Result Mark::reach() const { return stream ? stream->finish_to(place) : SUCCESS; }

}
