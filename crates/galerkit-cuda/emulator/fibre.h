// fibre.h: a stack on which a thread of the GPU runs until it lets go.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <ucontext.h>

namespace emulated {

// Where something goes on: the registers that a call must keep lie on its stack.
#ifdef __x86_64__
using Place = void *;
// Twenty times faster than swapcontext, which asks the kernel for signal masks.
extern "C" void emulated_switch(Place *from, Place to);
asm(R"(
    .text
    .local emulated_switch
emulated_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
)");
inline void change(Place &from, Place &to) {
    __builtin_prefetch(to);
    emulated_switch(&from, to);
}
inline Place place_on(char *stack, size_t size, void (*body)()) {
    auto *top = reinterpret_cast<uint64_t *>(stack + size);
    *--top = 0;                                         // the body never returns
    *--top = reinterpret_cast<uint64_t>(body);
    return top - 6;
}
#else
using Place = ucontext_t;
inline void change(Place &from, Place &to) { swapcontext(&from, &to); }
inline Place place_on(char *stack, size_t size, void (*body)()) {
    Place place;
    getcontext(&place);
    place.uc_stack.ss_sp = stack, place.uc_stack.ss_size = size, place.uc_link = nullptr;
    makecontext(&place, body, 0);
    return place;
}
#endif

class Fibre {
public:
    explicit Fibre(void (*body)()) {
        // Pages that are never touched cost nothing; the lowest catches who uses too much.
        void *stack = mmap(nullptr, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stack == MAP_FAILED || mprotect(stack, 4096, PROT_NONE) != 0) { perror("a stack of the emulated GPU"); abort(); }
        // Stacks that all ended at the same place of a page would be in each other's way in the host's caches.
        static unsigned made;
        here = place_on(static_cast<char *>(stack), SIZE - made++ % 61 * 1088, body);
    }
    Fibre(const Fibre &) = delete;

    // Goes on where it let go; returns when it lets go again. Called from outside of all fibres.
    void enter() { change(home, here); }
    // Called from the fibre.
    void let_go() { change(here, home); }

private:
    static constexpr size_t SIZE = 256 << 10;
    static inline Place home;
    Place here;
};

}
