#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "native/pictures/chart.hpp"

namespace softalign::lab {

/// What an experiment found: all figures, and a picture of those that matter.
struct Report {
    nlohmann::ordered_json json;
    Chart chart;
};

/// A figure for people: six decimals.
double figure(double value);
nlohmann::ordered_json figures(const std::vector<double>& values);

}  // namespace softalign::lab
