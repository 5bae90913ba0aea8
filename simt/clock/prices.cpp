#include "simt/clock/prices.h"

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace sass::clock {
namespace {

struct Name {
    const char* name;
    double Prices::* price;
};

#define PRICE(name) {#name, &Prices::name}
constexpr Name NAMES[] = {PRICE(clock_mhz),
                          PRICE(multiprocessors),
                          PRICE(launch_us),
                          PRICE(block_ns),
                          PRICE(block_start),
                          PRICE(taken_branch),
                          PRICE(parting_branch),
                          PRICE(try_wait),
                          PRICE(float_cycles),
                          PRICE(alu_cycles),
                          PRICE(double_cycles),
                          PRICE(special_cycles),
                          PRICE(uniform_cycles),
                          PRICE(tensor_cycles),
                          PRICE(tensor_half_cycles),
                          PRICE(tensor_operand_cycles),
                          PRICE(tensor_double_cycles),
                          PRICE(tensor_double_latency),
                          PRICE(matrix_load_latency),
                          PRICE(matrix_move_latency),
                          PRICE(patience_cycles),
                          PRICE(queue_entries),
                          PRICE(global_entries),
                          PRICE(pipe_entries),
                          PRICE(barrier_entries),
                          PRICE(scheduler_pass_cycles),
                          PRICE(operand_cycles),
                          PRICE(barrier_passes),
                          PRICE(barrier_warp_passes),
                          PRICE(barrier_cycles),
                          PRICE(cluster_barrier_cycles),
                          PRICE(far_cycles),
                          PRICE(far_latency),
                          PRICE(cluster_barrier_latency),
                          PRICE(special_latency),
                          PRICE(register_latency),
                          PRICE(constant_latency),
                          PRICE(shuffle_latency),
                          PRICE(reduction_latency),
                          PRICE(shared_latency),
                          PRICE(shared_atomic_latency),
                          PRICE(barrier_latency),
                          PRICE(l1_latency),
                          PRICE(l2_latency),
                          PRICE(atomic_latency),
                          PRICE(dram_latency),
                          PRICE(dram_spread),
                          PRICE(dram_late_share),
                          PRICE(dram_late_cycles),
                          PRICE(atomic_backlog),
                          PRICE(half_cycles),
                          PRICE(hit_backlog),
                          PRICE(fence_latency),
                          PRICE(l1_bytes),
                          PRICE(l2_bytes),
                          PRICE(l2_bytes_per_cycle),
                          PRICE(l2_loads_per_cycle),
                          PRICE(l2_stored_bytes_per_cycle),
                          PRICE(l2_partial_lines_per_cycle),
                          PRICE(l2_own_factor),
                          PRICE(port_bytes_per_cycle),
                          PRICE(port_loads_per_cycle),
                          PRICE(port_stored_bytes_per_cycle),
                          PRICE(port_partial_cycles),
                          PRICE(copy_bytes_per_cycle),
                          PRICE(dram_read_bytes_per_ns),
                          PRICE(dram_write_bytes_per_ns),
                          PRICE(dram_queue_cycles),
                          PRICE(dram_burst_bytes),
                          PRICE(dram_row_bytes),
                          PRICE(partial_sectors_per_ns),
                          PRICE(atomic_sectors_per_ns),
                          PRICE(atomic_pass_cycles),
                          PRICE(atomic_float_cycles),
                          PRICE(l2_slices)};
#undef PRICE

/// The first two fields of each line but the first.
std::map<std::string, double> table_of(const std::string& path) {
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("no prices in " + path + ": --clock takes a GPU of results/, or a file");
    std::map<std::string, double> table;
    std::string line, name, value;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::getline(fields, name, ',');
        std::getline(fields, value, ',');
        std::size_t read = 0;
        try {
            table[name] = std::stod(value, &read);
        } catch (const std::exception&) {
            read = 0;
        }
        if (read == 0 || read != value.size() || table[name] <= 0)
            throw std::runtime_error(path + ": the price of " + name + " is '" + value +
                                     "', no number above 0");
    }
    return table;
}

}  // namespace

Prices Prices::read(const std::string& path) {
    const auto table = table_of(path);
    Prices prices{};
    for (const auto& [name, price] : NAMES) {
        const auto at = table.find(name);
        const std::string word = name;
        const bool is_optional = word.rfind("tensor_", 0) == 0 || word.rfind("matrix_", 0) == 0;
        if (at == table.end() && !is_optional) throw std::runtime_error(path + " has no price " + word);
        if (at != table.end()) prices.*price = at->second;
    }
    return prices;
}

}  // namespace sass::clock
