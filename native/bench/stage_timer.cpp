#include "native/bench/stage_timer.hpp"

namespace softalign::bench {

const char* StageTimer::enter(const char* stage) {
    const Clock::time_point now = Clock::now();
    seconds_[stage_ == nullptr ? "the rest" : stage_] += std::chrono::duration<double>(now - entered_).count();
    entered_ = now;
    const char* const outer = stage_;
    stage_ = stage;
    return outer;
}

std::map<std::string, double> StageTimer::seconds() {
    enter(stage_);
    return seconds_;
}

void StageTimer::run_tasks(std::size_t count, TaskFunction function, const void* context) {
    executor_.run(count, [=](std::size_t index) { function(context, index); });
}

}  // namespace softalign::bench
