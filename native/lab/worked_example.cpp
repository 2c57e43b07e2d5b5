#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/nn/attention.hpp"
#include "core/simd/kernels.hpp"
#include "native/lab/experiment.hpp"

namespace softalign::lab {

namespace {

using nlohmann::ordered_json;

std::vector<double> values_of(const float* first, std::size_t count) {
    return {first, first + count};
}

ordered_json rows_of(const Matrix& matrix) {
    ordered_json rows = ordered_json::array();
    for (std::size_t r = 0; r < matrix.shape(0); ++r)
        rows.push_back(figures(values_of(row(matrix, r), matrix.shape(1))));
    return rows;
}

/// From energies to weights, with every number that one writes down in between.
ordered_json softmax_by_steps(std::vector<float> energies) {
    ordered_json steps;
    steps["energies"] = figures({energies.begin(), energies.end()});
    std::vector<double> exponentials;
    for (const float energy : energies) exponentials.push_back(std::exp(static_cast<double>(energy)));
    steps["exponentials"] = figures(exponentials);
    steps["sum_of_exponentials"] = figure(std::accumulate(exponentials.begin(), exponentials.end(), 0.0));
    simd::softmax(energies.data(), energies.size());
    steps["weights"] = figures({energies.begin(), energies.end()});
    return steps;
}

ordered_json additive_by_steps(simd::Executor& executor) {
    const Matrix identity{{1, 0}, {0, 1}};
    const AttentionParameters parameters{identity, identity, Matrix(), Matrix{{1, 1}}};
    const SourceStates source{Matrix{{1, 0}, {0, 1}, {1, 1}}, {0, 3}};
    const Matrix query{{0.5F, 0.5F}};
    const std::size_t sentence = 0;

    Attention attention;
    attention.set({executor, Passes::forward, simd::Precision::f32}, Score::additive, {2, 2, 2}, parameters);
    const Matrix keys = attention.keys(executor, source);  // [3, 2]
    Matrix projected({1, 2});
    Matrix weights({1, 3});
    Matrix context({1, 2});
    attention.read({executor, source, keys}, {view(query), &sentence}, {view(projected), view(weights), view(context)},
                   nullptr);

    Matrix sums = keys;  // [3, 2]
    for (std::size_t i = 0; i < 3; ++i) simd::add(projected.data(), row(sums, i), 2);
    Matrix squashed = sums;
    for (std::size_t i = 0; i < 3; ++i) simd::tanh(row(squashed, i), row(squashed, i), 2);
    std::vector<float> energies(3);
    simd::additive_energies({keys.data(), projected.data(), parameters.v.data(), 3, 2}, energies.data());

    ordered_json steps;
    steps["states_h"] = rows_of(source.states);
    steps["query_s"] = figures(values_of(query.data(), 2));
    steps["Wh"] = rows_of(identity);
    steps["Ws"] = rows_of(identity);
    steps["v"] = figures(values_of(parameters.v.data(), 2));
    steps["keys_Wh_h"] = rows_of(keys);
    steps["projected_query_Ws_s"] = figures(values_of(projected.data(), 2));
    steps["sums"] = rows_of(sums);
    steps["tanh_of_sums"] = rows_of(squashed);
    steps.update(softmax_by_steps(energies));
    steps["weights"] = figures(values_of(weights.data(), 3));
    steps["context"] = figures(values_of(context.data(), 2));
    return steps;
}

Series bars(const ordered_json& steps, const char* meaning) {
    std::string name;
    for (const auto& energy : steps["energies"])
        name += fmt::format("{}{:.4g}", name.empty() ? "" : ", ", energy.get<double>());
    Series series{name + meaning, {}, false};
    for (const auto& weight : steps["weights"]) {
        series.points.emplace_back(static_cast<double>(series.points.size()), weight.get<double>());
    }
    return series;
}

/// Two calculations that a learner can follow with a pocket calculator, made by the library's own layers.
///
/// The first turns the energies (2.0, 0.5, -1.0) into weights, and again with the second energy raised to 2.5. The
/// second is one whole step of additive attention (equations at `Attention`): states (1, 0), (0, 1), (1, 1), query
/// (0.5, 0.5), Wh = Ws = the identity, v = (1, 1).
Report worked_example(const Tools& tools) {
    Report report;
    report.json["experiment"] = "worked-example";
    report.json["softmax"] = softmax_by_steps({2.0F, 0.5F, -1.0F});
    report.json["softmax_second_raised"] = softmax_by_steps({2.0F, 2.5F, -1.0F});
    report.json["additive"] = additive_by_steps(tools.executor);

    report.chart.kind = Chart::Kind::bars;
    report.chart.title = "Energies become weights";
    report.chart.subtitle =
        "Whatever the energies, the weights of a step share out exactly 1. Each colour: three energies";
    report.chart.x_label = "source position";
    report.chart.y_label = "weight";
    report.chart.y_most = 1;
    report.chart.bar_digits = 3;
    report.chart.categories = {"1", "2", "3"};
    report.chart.series = {bars(report.json["softmax"], ""),
                           bars(report.json["softmax_second_raised"], " (the second raised)"),
                           bars(report.json["additive"], " (additive)")};
    return report;
}

}  // namespace

Experiment worked_example_experiment() {
    return {
        "worked-example", "two calculations of attention by hand, with every number in between",
        "Energies to weights, and one whole step of additive attention, made with the library's own layers, so that\n"
        "a calculation on paper can be compared with the code.",
        [](CLI::App&) -> Run { return worked_example; }};
}

}  // namespace softalign::lab
