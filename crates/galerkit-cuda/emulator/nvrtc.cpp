// nvrtc.cpp: libnvrtc.so of the emulated GPU: CUDA C++ in, an ELF object for the host out, by g++ (or CXX) with kernel.h in front.
// Behind the source stands a way to call each of its kernels by name.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <unistd.h>

namespace {

struct Program { std::string source, log, code; };

std::string contents(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Where kernel.h lies: beside this library, in `include`.
std::string folder() {
    Dl_info info;
    dladdr(reinterpret_cast<void *>(&folder), &info);
    return std::filesystem::path(info.dli_fname).parent_path() / "include";
}

// The generation of CUDA that this compiler says it is of: GALERKIT_EMULATOR_NVRTC, else 12.
int generation() {
    const char *asked = getenv("GALERKIT_EMULATOR_NVRTC");
    return asked ? atoi(asked) : 12;
}

// Dynamic shared memory is a pointer here.
std::string prepared(const std::string &source) {
    static const std::regex room(R"(extern __shared__ (\w+) (\w+)\[\];)");
    static const std::regex kernel(R"(__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\()");
    std::string text = "#include \"kernel.h\"\nextern \"C\" const int emulated_compiler = " + std::to_string(generation()) + ";\n#line 1\n" + std::regex_replace(source, room, "$1 *$2 = reinterpret_cast<$1 *>(emulated_device->room);");
    for (std::sregex_iterator at(source.begin(), source.end(), kernel), end; at != end; ++at) {
        const std::string name = (*at)[1];
        text += "\nextern \"C\" void emulated_" + name + "(const void *args) { emulated_call(" + name + ", args); }";
        text += "\nextern \"C\" const unsigned long emulated_size_of_" + name + " = emulated_size(" + name + ");\n";
    }
    return text;
}

// Leaves a source in the folder that GALERKIT_EMULATOR_SOURCES names, if any, under a name that is its own.
bool collected(const std::string &source) {
    const char *folder = getenv("GALERKIT_EMULATOR_SOURCES");
    if (!folder) return false;
    const std::filesystem::path place = folder, name = std::to_string(std::hash<std::string>()(source)) + ".cu";
    const std::filesystem::path draft = place / (name.string() + "." + std::to_string(getpid()));
    std::ofstream(draft) << source;
    std::filesystem::rename(draft, place / name);
    return true;
}

// --gpu-architecture=sm_90 is 900.
std::string architecture(int count, const char *const *options) {
    const std::string wanted = "--gpu-architecture=sm_";
    for (int i = 0; i < count; ++i)
        if (std::string(options[i]).rfind(wanted, 0) == 0) return options[i] + wanted.size() + std::string("0");
    return "900";
}

}

extern "C" {

int nvrtcVersion(int *major, int *minor) { *major = generation(), *minor = generation() == 12 ? 8 : 0; return 0; }
int nvrtcCreateProgram(Program **program, const char *source, const char *, int, const char *const *, const char *const *) {
    *program = new Program{source, {}, {}};
    return 0;
}
int nvrtcCompileProgram(Program *program, int count, const char *const *options) {
    std::string name = std::filesystem::temp_directory_path() / "galerkit-emulator-XXXXXX";
    if (!mkdtemp(name.data())) { program->log = "no folder for temporary files"; return 1; }
    const std::filesystem::path place = name;
    std::ofstream(place / "kernel.cpp") << prepared(program->source);
    const char *compiler = getenv("CXX");
    const std::string command = std::string(compiler ? compiler : "g++") +
        " -std=c++17 " + (collected(program->source) ? "-O0" : "-O1") + " -w -fPIC -shared -fno-gnu-unique -fno-strict-aliasing -fno-math-errno -ffp-contract=off -fno-semantic-interposition"
        " -Wl,-Bsymbolic -D__CUDA_ARCH__=" + architecture(count, options) + " -I'" + folder() + "' -o " + name + "/kernel.so " + name +
        "/kernel.cpp 2> " + name + "/log";
    const int status = system(command.c_str());
    program->log = contents(place / "log");
    program->code = contents(place / "kernel.so");
    std::filesystem::remove_all(place);
    return status == 0 ? 0 : 6;
}
int nvrtcGetProgramLogSize(Program *program, size_t *size) { *size = program->log.size() + 1; return 0; }
int nvrtcGetProgramLog(Program *program, char *log) { program->log.copy(log, program->log.size()); log[program->log.size()] = 0; return 0; }
int nvrtcGetCUBINSize(Program *program, size_t *size) { *size = program->code.size(); return 0; }
int nvrtcGetCUBIN(Program *program, char *code) { program->code.copy(code, program->code.size()); return 0; }
int nvrtcDestroyProgram(Program **program) { delete *program; *program = nullptr; return 0; }

}
