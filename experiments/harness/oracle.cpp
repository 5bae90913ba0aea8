#include "experiments/harness/oracle.h"

namespace harness {

template void fill<float>(void*, long long, std::uint64_t);
template void fill<double>(void*, long long, std::uint64_t);
template void fill<int>(void*, long long, std::uint64_t);
template std::string find_error<float, Sum<float>>(const Case&, std::uint64_t, const void*);
template std::string find_error<double, Sum<double>>(const Case&, std::uint64_t, const void*);
template std::string find_error<int, Sum<int>>(const Case&, std::uint64_t, const void*);

}  // namespace harness
