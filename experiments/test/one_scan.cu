// One scan over ranks that writes a result file. Optionally, one rank fails in a given way.
// one_scan <folder> <deadline in seconds> [<fault> <rank>]
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "experiments/program/report.h"
#include "kernels/multi_gpu/mpi_exchange.h"
#include "kernels/multi_gpu/scan_parts.cuh"
#include "kernels/operators.cuh"

using namespace trial;

namespace {

constexpr long long LENGTH_OF_PART = 5'000;

struct Settings {
    std::string folder, fault;  ///< fault: the one this rank injects, or ""
};

/// An exchange that a faulty rank never reaches.
class FailingExchange {
   public:
    FailingExchange(const Ranks& ranks, const std::string& fault) : exchange_(ranks), fault_(fault) {}

    bool is_last() const { return exchange_.is_last(); }

    template <class T, class Op>
    void operator()(const T* total, bool exists, Prefix<T>* before, Op op, cudaStream_t stream) {
        if (fault_ == "killed") raise(SIGKILL);
        if (fault_ == "exits") _exit(3);
        if (fault_ == "exits with 0") _exit(0);
        if (fault_ == "throws") throw std::runtime_error("a kernel did what it must not");
        while (fault_ == "hangs") pause();
        exchange_(total, exists, before, op, stream);
    }

   private:
    MpiExchange exchange_;
    const std::string fault_;
};

struct Row {
    long long length, wrong;
};

/// Scan 0, 1, 2, .. and check the result. Returns the exit status.
template <class T, class Op, Form FORM>
int scan_ranks(const Ranks& ranks, const Settings& settings) {
    const long long n = ranks.size() * LENGTH_OF_PART, begin = ranks.rank() * LENGTH_OF_PART;
    const long long length = LENGTH_OF_PART - (settings.fault == "gap" || settings.fault == "end");
    PartScan<T, Op, FORM> scan(settings.fault == "room" ? 1LL << 60 : length);
    std::string problem =
        device_problem(ranks.size_of_host(), ranks.size_of_host() - (settings.fault == "devices"));
    if (scan.status() != cudaSuccess) problem = cudaGetErrorString(scan.status());
    const std::string reason = disagreement(
        ranks, terms_of<T, Op>(FORM, ranks.size() + (settings.fault == "parts"), begin, length, n, problem));
    if (!reason.empty()) {
        ranks.say(reason);
        return 1;
    }

    std::vector<T> values(static_cast<std::size_t>(length));
    std::iota(values.begin(), values.end(), T(begin));
    T* data = nullptr;
    const std::size_t bytes = values.size() * sizeof(T);
    if (cudaMalloc(&data, bytes) != cudaSuccess) ranks.fail("out of memory");
    (void)cudaMemcpy(data, values.data(), bytes, cudaMemcpyHostToDevice);
    FailingExchange exchange(ranks, settings.fault);
    const cudaError_t result = scan(data, data, length, Op{}, exchange, nullptr);
    if (result != cudaSuccess) ranks.fail(cudaGetErrorString(result));
    (void)cudaMemcpy(values.data(), data, bytes, cudaMemcpyDeviceToHost);
    (void)cudaFree(data);
    if (settings.fault == "wrong") values[17] += 1;

    Row mine = {length, 0};
    for (long long i = 0; i < length; ++i) mine.wrong += values[i] != T((begin + i) * (begin + i + 1) / 2);
    const std::vector<Row> rows = ranks.gather(mine);
    std::ostringstream text;
    text << "[";
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (rows[r].wrong > 0) {
            ranks.say("rank " + std::to_string(r) + " has " + std::to_string(rows[r].wrong) +
                      " wrong elements");
            return 1;
        }
        text << (r == 0 ? "" : ",") << "\n  {\"length\": " << rows[r].length << "}";
    }
    text << "\n]\n";
    if (ranks.rank() == 0) harness::write_files(settings.folder, {{"one_scan.json", text.str()}});
    return 0;
}

int run(const Ranks& ranks, const Settings& settings) {
    if (settings.fault == "type") return scan_ranks<double, Sum<double>, Form::inclusive>(ranks, settings);
    if (settings.fault == "operator")
        return scan_ranks<long long, Max<long long>, Form::inclusive>(ranks, settings);
    if (settings.fault == "form")
        return scan_ranks<long long, Sum<long long>, Form::exclusive>(ranks, settings);
    return scan_ranks<long long, Sum<long long>, Form::inclusive>(ranks, settings);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3 && argc != 5) {
        std::fprintf(stderr, "one_scan <folder> <deadline in seconds> [<fault> <rank>]\n");
        return 2;
    }
    const std::string fault = argc == 5 ? argv[3] : "", rank = argc == 5 ? argv[4] : "";
    while (fault == "never starts" && rank == std::getenv("OMPI_COMM_WORLD_RANK")) pause();
    const Ranks ranks(std::atof(argv[2]));
    const bool fails = rank == std::to_string(ranks.rank());
    try {
        const int status = run(ranks, {argv[1], fails ? fault : ""});
        while (fails && fault == "never ends") pause();
        return status;
    } catch (const std::exception& error) {
        ranks.fail(error.what());
    }
}
