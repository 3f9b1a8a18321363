// driver.cpp: libcuda.so.1 of the emulated GPU: those functions of the CUDA driver that galerkit calls. Kernels run when they are queued,
// copies as late as they may (stream.h), except while a stream is captured: then both become a graph. Sizes can be set: GALERKIT_EMULATOR_PROCESSORS,
// GALERKIT_EMULATOR_MEMORY and GALERKIT_EMULATOR_CACHE (bytes); the allocation that GALERKIT_EMULATOR_REFUSES numbers, counted from 1, fails. Another process takes
// GALERKIT_EMULATOR_TAKEN bytes as soon as somebody has asked what is free. GALERKIT_EMULATOR_DRIVER is the driver's version (12080).
// After NVIDIA, CUDA driver API; numbers of attributes and errors are those of cuda.h.
#include "memory.h"
#include "module.h"
#include "stream.h"
#include <chrono>
#include <csignal>
#include <memory>

using namespace emulated;

namespace {

constexpr int SHARED = 227 << 10;
constexpr unsigned BLOCKS_OF_A_PROCESSOR = 2, BLOCKS_OF_A_CLUSTER = 8;

struct Event {
    std::chrono::steady_clock::time_point at;
    Mark mark;
};

size_t asked_for(const char *name, size_t usual) {
    const char *asked = getenv(name);
    return asked ? size_t(strtoull(asked, nullptr, 10)) : usual;
}

Memory memory(asked_for("GALERKIT_EMULATOR_MEMORY", size_t(4) << 30), asked_for("GALERKIT_EMULATOR_REFUSES", 0),
              asked_for("GALERKIT_EMULATOR_TAKEN", 0));
std::mutex one_at_a_time;
Result lost = SUCCESS;                 // a launch that failed takes the device with it, as on a GPU

unsigned processors() {
    static const char *asked = getenv("GALERKIT_EMULATOR_PROCESSORS");
    return asked ? unsigned(atoi(asked)) : 4;
}

// A copy: later, if both sides are memory that the driver has given; what it has not given may be gone when the call returns.
int copy(void *to, const void *from, size_t bytes, Stream *stream) {
    const bool known = memory.has(to) && memory.has(from);
    const Work work = [=] { memcpy(to, from, bytes); return lost; };
    return known ? stream->put_off(work) : stream->queue(work);
}

Result carry_out(Function *function, const Launch &launch) {
    std::lock_guard hold(one_at_a_time);
    if (lost != SUCCESS) return lost;
    const std::string failure = run(launch, [&](unsigned place) { return function->module->kernel(place, launch.name); });
    if (failure.empty()) return SUCCESS;
    fprintf(stderr, "emulated GPU: %s\n", failure.c_str());
    return lost = LAUNCH_FAILED;
}

Result enqueue(Function *function, Stream *stream, Launch launch, void **parameters) {
    const bool too_many = launch.together && launch.blocks > (launch.clustered ? BLOCKS_OF_A_CLUSTER : BLOCKS_OF_A_PROCESSOR * processors());
    if (launch.threads == 0 || launch.threads > 1024 || launch.blocks == 0 || launch.room > size_t(SHARED) || too_many) return INVALID_VALUE;
    launch.name = function->name;
    launch.most = BLOCKS_OF_A_PROCESSOR * processors();
    const char *from = static_cast<const char *>(parameters[0]);
    launch.args.assign(from, from + function->arguments);
    return stream->queue([function, launch] { return carry_out(function, launch); });
}

// A kernel left its memory, or its stack.
void on_fault(int signal, siginfo_t *info, void *) {
    fprintf(stderr, "emulated GPU: no memory at %p: %s\n", info->si_addr, whereabouts());
    std::signal(signal, SIG_DFL);
    raise(signal);
}

}

extern "C" {

int cuInit(unsigned) {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;                       // on the stack of the fibre, which has more room than the usual one
    sigaction(SIGSEGV, &action, nullptr);
    return SUCCESS;
}
int cuDriverGetVersion(int *version) { *version = int(asked_for("GALERKIT_EMULATOR_DRIVER", 12080)); return SUCCESS; }
int cuDeviceGetCount(int *count) { *count = 1; return SUCCESS; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return ordinal == 0 ? SUCCESS : INVALID_VALUE; }
int cuDeviceGetName(char *name, int size, int) { snprintf(name, size, "emulated GPU (no hardware)"); return SUCCESS; }
int cuDeviceTotalMem_v2(size_t *bytes, int) { *bytes = memory.all; return SUCCESS; }
int cuDeviceGetAttribute(int *value, int which, int) {
    switch (which) {
        case 16: *value = processors(); return SUCCESS;
        case 38: *value = int(asked_for("GALERKIT_EMULATOR_CACHE", 50 << 20)); return SUCCESS; // second-level cache
        case 75: *value = 9; return SUCCESS;                        // compute capability
        case 76: *value = 0; return SUCCESS;
        case 97: *value = SHARED; return SUCCESS;
        default: fprintf(stderr, "emulated GPU: attribute %d is not known\n", which); return NOT_SUPPORTED;
    }
}
int cuDevicePrimaryCtxRetain(void **context, int) { static int only; *context = &only; return SUCCESS; }
int cuDevicePrimaryCtxRelease_v2(int) { return SUCCESS; }
int cuCtxSetCurrent(void *) { return SUCCESS; }
int cuGetErrorName(int, const char **name) { *name = "an error of the emulated GPU"; return SUCCESS; }
int cuGetErrorString(int, const char **text) { *text = "see standard error"; return SUCCESS; }

int cuMemGetInfo_v2(size_t *free, size_t *total) { *total = memory.all; *free = memory.look(); return SUCCESS; }
int cuMemAlloc_v2(char **pointer, size_t bytes) { return (*pointer = memory.take(bytes)) ? SUCCESS : OUT_OF_MEMORY; }
int cuMemFree_v2(char *pointer) { Stream::finish_all(); return memory.give_back(pointer) ? SUCCESS : INVALID_VALUE; }
int cuMemHostAlloc(char **pointer, size_t bytes, unsigned) { return (*pointer = memory.take(bytes)) ? SUCCESS : OUT_OF_MEMORY; }
int cuMemFreeHost(char *pointer) { Stream::finish_all(); return memory.give_back(pointer) ? SUCCESS : INVALID_VALUE; }
int cuMemcpyDtoH_v2(void *to, const char *from, size_t bytes) { memcpy(to, from, bytes); return lost; }
int cuMemcpyHtoDAsync_v2(char *to, const void *from, size_t bytes, Stream *stream) { return copy(to, from, bytes, stream); }
int cuMemcpyDtoHAsync_v2(void *to, const char *from, size_t bytes, Stream *stream) { return copy(to, from, bytes, stream); }
int cuMemcpyDtoDAsync_v2(char *to, const char *from, size_t bytes, Stream *stream) { return copy(to, from, bytes, stream); }
int cuMemsetD8Async(char *to, unsigned char byte, size_t bytes, Stream *stream) {
    return stream->put_off([=] { memset(to, byte, bytes); return lost; });
}

int cuStreamCreate(Stream **stream, unsigned) { *stream = Stream::make(); return SUCCESS; }
int cuStreamDestroy_v2(Stream *stream) { const Result ended = stream->finish(); Stream::forget(stream); return ended; }
int cuStreamQuery(Stream *) { return lost; }
int cuStreamSynchronize(Stream *stream) { const Result ended = stream->finish(); return ended ? ended : lost; }
int cuStreamWaitEvent(Stream *stream, Event *event, unsigned) { return stream->put_off([mark = event->mark] { return mark.reach(); }); }
int cuStreamBeginCapture_v2(Stream *stream, int) { stream->captured = new Graph; return SUCCESS; }
int cuStreamEndCapture(Stream *stream, Graph **graph) { *graph = stream->captured; stream->captured = nullptr; return SUCCESS; }
int cuGraphInstantiateWithFlags(Graph **executable, const Graph *graph, unsigned long long) { *executable = new Graph(*graph); return SUCCESS; }
int cuGraphUpload(Graph *, Stream *) { return SUCCESS; }
int cuGraphLaunch(Graph *graph, Stream *stream) {
    if (const Result result = stream->finish()) return result;
    for (const Work &work : graph->work)
        if (const Result result = work()) return result;
    return SUCCESS;
}
int cuGraphExecDestroy(Graph *graph) { delete graph; return SUCCESS; }
int cuGraphDestroy(Graph *graph) { delete graph; return SUCCESS; }
int cuEventCreate(Event **event, unsigned) { *event = new Event; return SUCCESS; }
int cuEventDestroy_v2(Event *event) { delete event; return SUCCESS; }
int cuEventRecord(Event *event, Stream *stream) {
    *event = {std::chrono::steady_clock::now(), stream->mark()};
    return SUCCESS;
}
int cuEventSynchronize(Event *event) { const Result ended = event->mark.reach(); return ended ? ended : lost; }
int cuEventElapsedTime(float *milliseconds, Event *begin, Event *end) {
    *milliseconds = std::chrono::duration<float, std::milli>(end->at - begin->at).count();
    return SUCCESS;
}
int cuEventElapsedTime_v2(float *milliseconds, Event *begin, Event *end) { return cuEventElapsedTime(milliseconds, begin, end); }

int cuModuleLoadData(Module **module, const void *image) {
    auto loaded = std::make_unique<Module>(image);
    if (!loaded->copy(0)) return INVALID_IMAGE;
    const auto *architecture = loaded->symbol<const int>(0, "emulated_architecture");
    if (!architecture || *architecture != 900) return NO_BINARY_FOR_GPU;
    const auto *compiler = loaded->symbol<const int>(0, "emulated_compiler");      // of its own generation, and of older ones
    if (!compiler || *compiler > int(asked_for("GALERKIT_EMULATOR_DRIVER", 12080) / 1000)) return NO_BINARY_FOR_GPU;
    *module = loaded.release();
    return SUCCESS;
}
int cuModuleUnload(Module *) { return SUCCESS; }
int cuModuleGetFunction(Function **function, Module *module, const char *name) {
    const auto *size = module->symbol<const unsigned long>(0, std::string("emulated_size_of_") + name);
    if (!size) return NOT_FOUND;
    *function = new Function{module, name, *size};
    return SUCCESS;
}
int cuFuncGetAttribute(int *value, int which, Function *) { *value = which == 4 ? 32 : 0; return SUCCESS; }
int cuFuncSetAttribute(Function *, int, int value) { return value <= SHARED ? SUCCESS : INVALID_VALUE; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *, int, size_t) { *blocks = BLOCKS_OF_A_PROCESSOR; return SUCCESS; }

int cuLaunchKernel(Function *f, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned room, Stream *stream,
                   void **parameters, void **) {
    return enqueue(f, stream, {{}, blocks, threads, room, false, 0, false, {}}, parameters);
}
int cuLaunchCooperativeKernel(Function *f, unsigned blocks, unsigned, unsigned, unsigned threads, unsigned, unsigned, unsigned room,
                              Stream *stream, void **parameters) {
    return enqueue(f, stream, {{}, blocks, threads, room, true, 0, false, {}}, parameters);
}

struct Attribute { int id, padding; unsigned value[16]; };
struct Configuration {
    unsigned blocks[3], threads[3], room;
    Stream *stream;
    const Attribute *attributes;
    unsigned count;
};
int cuLaunchKernelEx(const Configuration *c, Function *f, void **parameters, void **) {
    constexpr int CLUSTER_DIMENSION = 4;
    bool clustered = false;
    for (unsigned a = 0; a < c->count; ++a) clustered |= c->attributes[a].id == CLUSTER_DIMENSION;
    return enqueue(f, c->stream, {{}, c->blocks[0], c->threads[0], c->room, clustered, 0, clustered, {}}, parameters);
}

}
