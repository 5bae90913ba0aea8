// The stop watch of the header of this name in NVIDIA's samples, written anew. It measures the host's time.
#pragma once
#include <chrono>

class StopWatchInterface {
   public:
    void start() {
        started_ = std::chrono::steady_clock::now();
        running_ = true;
    }
    void stop() {
        total_ += since_start();
        ++sessions_;
        running_ = false;
    }
    void reset() {
        total_ = 0;
        sessions_ = 0;
        if (running_) started_ = std::chrono::steady_clock::now();
    }
    float getTime() const { return running_ ? total_ + since_start() : total_; }  // ms
    float getAverageTime() const { return sessions_ == 0 ? 0 : total_ / float(sessions_); }

   private:
    float since_start() const {
        return std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - started_).count();
    }
    std::chrono::steady_clock::time_point started_;
    float total_ = 0;
    int sessions_ = 0;
    bool running_ = false;
};

inline bool sdkCreateTimer(StopWatchInterface** timer) {
    return (*timer = new StopWatchInterface) != nullptr;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) { return (*timer)->start(), true; }
inline bool sdkStopTimer(StopWatchInterface** timer) { return (*timer)->stop(), true; }
inline bool sdkResetTimer(StopWatchInterface** timer) { return (*timer)->reset(), true; }
inline float sdkGetTimerValue(StopWatchInterface** timer) { return (*timer)->getTime(); }
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) { return (*timer)->getAverageTime(); }
