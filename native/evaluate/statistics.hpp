#pragma once

#include <vector>

namespace softalign {

// Of at least one value.
double mean(const std::vector<double>& values);
double median(std::vector<double> values);

}  // namespace softalign
