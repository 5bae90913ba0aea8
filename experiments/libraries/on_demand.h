// Functions of a shared library that is opened when the first of them is called: a program that calls none
// runs where the library is missing.
//
// The program defines functions of the same names, which call the library's, and exports them.
#pragma once
#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace harness {

class OnDemand {
   public:
    /// remedy: what to do where there is no such file.
    OnDemand(const char* file, const char* remedy) : file_(file), remedy_(remedy) {}

    /// The library's function with the name of the program's; null if it has none.
    template <class Function>
    Function* find(Function* own) {
        if (library_ == nullptr) library_ = dlopen(file_, RTLD_NOW);
        if (library_ == nullptr) throw std::runtime_error(std::string(dlerror()) + "; " + remedy_);
        Dl_info about = {};
        if (dladdr(reinterpret_cast<void*>(own), &about) == 0 || about.dli_sname == nullptr)
            throw std::runtime_error(std::string("the program exports no functions of ") + file_);
        return reinterpret_cast<Function*>(dlsym(library_, about.dli_sname));
    }

    /// The same; throws std::runtime_error if it has none.
    template <class Function>
    Function* get(Function* own) {
        Function* const found = find(own);
        if (found == nullptr) throw std::runtime_error(dlerror());
        return found;
    }

   private:
    const char *file_, *remedy_;
    void* library_ = nullptr;
};

}  // namespace harness
