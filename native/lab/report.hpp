#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "native/pictures/chart.hpp"

namespace softalign::lab {

/// The result of an experiment: all figures, and a picture of the important ones.
struct Report {
    nlohmann::ordered_json json;
    Chart chart;
};

/// A figure for readers: six decimals.
double figure(double value);
nlohmann::ordered_json figures(const std::vector<double>& values);

}  // namespace softalign::lab
