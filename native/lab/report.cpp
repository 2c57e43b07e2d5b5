#include "native/lab/report.hpp"

#include <cmath>

namespace softalign::lab {

double figure(double value) {
    return std::round(value * 1e6) / 1e6;
}

nlohmann::ordered_json figures(const std::vector<double>& values) {
    nlohmann::ordered_json result = nlohmann::ordered_json::array();
    for (const double value : values) result.push_back(figure(value));
    return result;
}

}  // namespace softalign::lab
