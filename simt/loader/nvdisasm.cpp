#include "simt/loader/nvdisasm.h"

#include <fcntl.h>
#include <glob.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "simt/loader/architecture.h"

#ifndef SIMT_ENVIRONMENT
#define SIMT_ENVIRONMENT ""  // the project's Python environment, whose wheels may hold nvdisasm
#endif

extern char** environ;

namespace sass {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool is_program(const std::string& path) { return !path.empty() && access(path.c_str(), X_OK) == 0; }

std::string on_path(const std::string& name) {
    const std::string path = variable("PATH");
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        const std::string whole = path.substr(at, end - at) + "/" + name;
        if (is_program(whole)) return whole;
        at = end + 1;
    }
    return "";
}

std::string beside(const std::string& program, const std::string& name) {
    char* real = program.empty() ? nullptr : realpath(program.c_str(), nullptr);
    if (real == nullptr) return "";
    const std::string folder(real, std::strrchr(real, '/') - real);
    std::free(real);
    return folder + "/" + name;
}

std::string first_match(const std::string& pattern) {
    glob_t matches;
    std::string path;
    if (glob(pattern.c_str(), 0, nullptr, &matches) == 0)
        path = matches.gl_pathv[matches.gl_pathc - 1];  // the newest
    globfree(&matches);
    return path;
}

std::string find() {
    const std::string named = variable("SIMT_NVDISASM");
    if (!named.empty()) {
        if (!is_program(named)) throw std::runtime_error("SIMT_NVDISASM names no program: " + named);
        return named;
    }
    const std::string in_environment = "/lib/python3*/site-packages/nvidia/cu*/bin/nvdisasm";
    for (const std::string& path : {on_path("nvdisasm"), beside(on_path("nvcc"), "nvdisasm"),
                                    first_match(SIMT_ENVIRONMENT + in_environment)})
        if (is_program(path)) return path;
    throw std::runtime_error(
        "no nvdisasm to read the program's GPU code with: neither on PATH nor beside nvcc; "
        "SIMT_NVDISASM may name it");
}

const std::string& program() {
    static const std::string path = find();
    return path;
}

/// Of the disassembler: its path, size and time tell one version from another without running it.
std::string identity() {
    struct stat state{};
    stat(program().c_str(), &state);
    return program() + ' ' + std::to_string(state.st_size) + ' ' + std::to_string(state.st_mtime);
}

/// FNV-1a of 128 bits.
class Digest {
   public:
    void add(const void* bytes, std::size_t count) {
        for (std::size_t i = 0; i < count; i++)
            value_ = (value_ ^ static_cast<const unsigned char*>(bytes)[i]) * PRIME;
    }
    std::string text() const {
        char digits[33];
        std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(value_ >> 64),
                      static_cast<unsigned long long>(value_));
        return digits;
    }

   private:
    __extension__ using Wide = unsigned __int128;
    static constexpr Wide PRIME = (Wide(1) << 88) + 0x13b;
    Wide value_ = (Wide(0x6c62272e07bb0142) << 64) + 0x62b821756295c58d;
};

std::string cache_folder() {
    std::string folder = variable("XDG_CACHE_HOME");
    if (folder.empty() && !variable("HOME").empty()) folder = variable("HOME") + "/.cache";
    return folder.empty() ? "" : folder + "/scan-on-trial";
}

std::string cache_path(const std::vector<std::uint8_t>& code, std::uint64_t address) {
    Digest digest;
    const std::string by = identity();
    digest.add(by.data(), by.size());
    digest.add(&architecture().number, sizeof architecture().number);
    digest.add(&address, sizeof address);
    digest.add(code.data(), code.size());
    return cache_folder() + "/" + digest.text() + ".sass";
}

std::string whole_file(int file) {
    std::string text;
    char piece[1 << 16];
    for (ssize_t got; (got = ::pread(file, piece, sizeof piece, off_t(text.size()))) > 0;)
        text.append(piece, got);
    return text;
}

bool write_all(int file, const void* bytes, std::size_t count) {
    for (std::size_t done = 0; done < count;) {
        const ssize_t wrote = ::write(file, static_cast<const char*>(bytes) + done, count - done);
        if (wrote <= 0) return false;
        done += std::size_t(wrote);
    }
    return true;
}

}  // namespace

Disassembler::Disassembler(const std::uint8_t* code, std::size_t bytes, std::uint64_t address)
    : bytes_(bytes) {
    const std::string path = program();
    const int input = memfd_create("code", 0);
    printed_ = memfd_create("text", 0);
    if (input < 0 || printed_ < 0 || !write_all(input, code, bytes))
        throw std::runtime_error("no memory for the text of the program's GPU code");
    const std::string file = "/proc/self/fd/" + std::to_string(input), base = std::to_string(address),
                      name = "SM" + std::to_string(architecture().number);
    const char* arguments[] = {path.c_str(),     "--binary",   name.c_str(), "--no-dataflow",
                               "--base-address", base.c_str(), file.c_str(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, printed_, 1);
    posix_spawn_file_actions_adddup2(&actions, printed_, 2);
    const int error =
        posix_spawn(&process_, path.c_str(), &actions, nullptr, const_cast<char**>(arguments), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(input);
    if (error != 0) throw std::runtime_error("cannot run " + path + ": " + std::strerror(error));
}

Disassembler::Disassembler(Disassembler&& other) noexcept
    : bytes_(other.bytes_), process_(other.process_), printed_(other.printed_) {
    other.process_ = other.printed_ = -1;
}

Disassembler::~Disassembler() {
    if (process_ > 0) waitpid(process_, nullptr, 0);
    if (printed_ >= 0) close(printed_);
}

std::string Disassembler::output() {
    int status = -1;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    std::string text = whole_file(printed_);
    if (status == 0) return text;
    throw std::runtime_error(program() +
                             " cannot read the program's GPU code: " + text.substr(0, text.find('\n')));
}

std::string cached(const std::vector<std::uint8_t>& code, std::uint64_t address) {
    const int file = open(cache_path(code, address).c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return "";
    std::string text = whole_file(file);
    close(file);
    return text;
}

void keep(const std::vector<std::uint8_t>& code, std::uint64_t address, const std::string& text) {
    const std::string folder = cache_folder(), path = cache_path(code, address);
    if (folder.empty()) return;
    mkdir(folder.substr(0, folder.rfind('/')).c_str(), 0777);
    mkdir(folder.c_str(), 0777);
    std::string temporary = path + ".XXXXXX";
    const int file = mkstemp(temporary.data());
    if (file < 0) return;
    const bool is_whole = write_all(file, text.data(), text.size());
    close(file);
    if (!is_whole || std::rename(temporary.c_str(), path.c_str()) != 0) unlink(temporary.c_str());
}

}  // namespace sass
