#include "native/lab/report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace softalign::lab {

double figure(double value) {
    return std::round(value * 1e6) / 1e6;
}

nlohmann::ordered_json figures(const std::vector<double>& values) {
    nlohmann::ordered_json result = nlohmann::ordered_json::array();
    for (const double value : values) result.push_back(figure(value));
    return result;
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
    const std::size_t middle = values.size() / 2;
    std::sort(values.begin(), values.end());
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace softalign::lab
