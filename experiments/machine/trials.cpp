#include "experiments/machine/trials.h"

#include <cstring>

#include "experiments/harness/cuda_check.h"
#include "experiments/harness/oracle.h"

namespace harness {

Trials::Trials(std::uint64_t seed, long long reserved) : seed_(seed), reserved_(reserved) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
}

Trials::~Trials() {
    prepared_.clear();
    (void)cudaStreamDestroy(stream_);
}

std::map<const Case*, std::string> Trials::hold(const std::vector<const Case*>& cases) {
    std::size_t free = 0, total = 0;
    vectors_.reset();
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    vectors_ = std::make_unique<SharedVectors>(static_cast<long long>(free) - reserved_);
    std::map<const Case*, std::string> refused;
    for (const Case* c : cases)
        if (const std::string reason = vectors_->admit(*c); !reason.empty()) refused[c] = reason;
    vectors_->allocate(seed_);
    return refused;
}

void Trials::prepare(const Case& c) {
    if (c.submitted == Submitted::graph) {
        // What the runtime loads on the first call cannot be captured: run the work once before.
        const Trial trial = make(c);
        trial.work();
        check(cudaGetLastError(), "launch");
        check(cudaStreamSynchronize(stream_), "run");
    }
    Prepared& ready = prepared_[&c];
    ready.trial = make(c);
    if (c.submitted == Submitted::graph) ready.graph = std::make_unique<Graph>(stream_, ready.trial.work);
}

Trial Trials::make(const Case& c) const {
    void* in = vectors_->in(c, Memory::device);
    void* out = vectors_->out(c, Memory::device);
    Trial trial = c.prepare(in, out, stream_);
    if (c.vector == Memory::device) return trial;

    const void* host_in = vectors_->in(c, c.vector);
    void* host_out = vectors_->out(c, c.vector);
    const long long in_bytes = c.in_bytes(), out_bytes = c.out_bytes();
    const cudaStream_t queue = stream_;
    trial.work = [=, between_copies = trial.work] {
        (void)cudaMemcpyAsync(in, host_in, in_bytes, cudaMemcpyHostToDevice, queue);
        between_copies();
        (void)cudaMemcpyAsync(host_out, out, out_bytes, cudaMemcpyDeviceToHost, queue);
    };
    return trial;
}

void Trials::poison(const Case& c) const {
    check(cudaStreamSynchronize(stream_), "before the run");
    if (trial(c).poison)
        trial(c).poison();
    else
        poison_vectors(c);
    check(cudaDeviceSynchronize(), "before the run");
}

void Trials::poison_vectors(const Case& c) const {
    check(cudaMemset(vectors_->out(c, Memory::device), POISON, c.out_bytes()), "cudaMemset");
    if (c.vector == Memory::device) return;
    check(cudaMemset(vectors_->in(c, Memory::device), POISON, c.in_bytes()), "cudaMemset");
    std::memset(vectors_->out(c, c.vector), POISON, c.out_bytes());
}

void Trials::submit(const Case& c) const {
    const Prepared& ready = prepared_.at(&c);
    if (ready.graph) {
        ready.graph->launch();
    } else {
        ready.trial.work();
    }
}

void Trials::run(const Case& c) const {
    submit(c);
    check(cudaGetLastError(), "launch");
    check(cudaStreamSynchronize(stream_), "run");
}

void Trials::run_marked(const Case& c) const {
    c.prepare_marked(vectors_->in(c, Memory::device), vectors_->out(c, Memory::device), stream_)();
    check(cudaGetLastError(), "launch");
    check(cudaStreamSynchronize(stream_), "run");
}

std::vector<DeviceBytes> Trials::result_on_device(const Case& c) const {
    if (c.element == nullptr) return trial(c).result;
    if (c.vector != Memory::device) return {};
    return {{vectors_->out(c, Memory::device), c.out_bytes()}};
}

std::string Trials::find_error(const Case& c) const {
    if (trial(c).find_error) return trial(c).find_error();
    return c.find_error(c, seed_, vectors_->out(c, c.vector));
}

}  // namespace harness
