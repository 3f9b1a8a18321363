// module.h: a compiled source, an ELF object as nvrtc.cpp makes it. Loaded anew for each block that is resident with others: so each has
// the object's variables, which are its shared memory, for itself.
#pragma once
#include "threads.h"
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace emulated {

class Module {
public:
    explicit Module(const void *image) {
        const auto *header = static_cast<const Elf64_Ehdr *>(image);
        if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
        // The table of sections is the last thing that the linker writes.
        const size_t size = header->e_shoff + size_t(header->e_shentsize) * header->e_shnum;
        bytes.assign(static_cast<const char *>(image), static_cast<const char *>(image) + size);
    }

    // One more copy, if there are fewer.
    void *copy(unsigned which) {
        while (loaded.size() <= which) {
            const int file = memfd_create("kernel", 0);
            if (file < 0 || write(file, bytes.data(), bytes.size()) != ssize_t(bytes.size())) return nullptr;
            // The file stays open: the loader knows objects by their names, and this one names the file.
            const std::string path = "/proc/self/fd/" + std::to_string(file);
            void *object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
            if (!object) { fprintf(stderr, "the emulated GPU cannot load a kernel: %s\n", dlerror()); return nullptr; }
            loaded.push_back(object);
        }
        return loaded[which];
    }

    template <class F> F *symbol(unsigned which, const std::string &name) {
        void *object = copy(which);
        return object ? reinterpret_cast<F *>(dlsym(object, name.c_str())) : nullptr;
    }

    Copy kernel(unsigned which, const std::string &name) {
        return {symbol<void(Device *)>(which, "emulated_bind"), symbol<void(const void *)>(which, "emulated_" + name),
                static_cast<char *>(symbol<void *()>(which, "emulated_origin")())};
    }

private:
    std::vector<char> bytes;
    std::vector<void *> loaded;
};

// A kernel of a module.
struct Function {
    Module *module;
    std::string name;
    size_t arguments;                  // bytes of its struct
};

}
