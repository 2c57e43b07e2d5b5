#include "native/pictures/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "native/pictures/canvas.hpp"

namespace softalign {

using namespace pictures;

namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 460;
constexpr double kGap = 8;
constexpr double kTitleSize = 17;
constexpr double kTextSize = 12;
constexpr Colour kGrid{0.90, 0.90, 0.92};
constexpr Colour kAxis{0.60, 0.60, 0.64};
// Okabe and Ito's palette (2008), which colour-blind readers can distinguish, without the yellow that is too faint on a
// white page.
constexpr std::array<Colour, 6> kColours{{{0.00, 0.45, 0.70},
                                          {0.84, 0.37, 0.00},
                                          {0.00, 0.62, 0.45},
                                          {0.80, 0.47, 0.65},
                                          {0.35, 0.35, 0.40},
                                          {0.34, 0.71, 0.91}}};

struct Axis {
    double first = 0;
    double last = 1;
    std::vector<double> ticks;
    bool logarithmic = false;

    /// 0 … 1 along the axis
    double place(double value) const {
        return logarithmic ? (std::log10(value) - std::log10(first)) / (std::log10(last) - std::log10(first))
                           : (value - first) / (last - first);
    }
};

struct Frame {
    double left;
    double top;
    double right;
    double bottom;
    Axis x;
    Axis y;

    double at_x(double value) const { return left + x.place(value) * (right - left); }
    double at_y(double value) const { return bottom - y.place(value) * (bottom - top); }
};

bool drawable(const Chart& chart, double y) {
    return std::isfinite(y) && (chart.y_scale == Chart::Scale::linear || y > 0);
}

Axis y_axis(const Chart& chart) {
    double least = chart.y_most > chart.y_least ? chart.y_least : INFINITY;
    double most = chart.y_most > chart.y_least ? chart.y_most : -INFINITY;
    for (const Series& series : chart.series) {
        for (const auto& [x, y] : series.points) {
            if (!drawable(chart, y)) continue;
            least = std::min(least, y);
            most = std::max(most, y);
        }
    }
    if (least > most) throw Error("a chart without a finite number cannot be drawn");
    Axis axis;
    if (chart.y_scale == Chart::Scale::logarithmic) {
        axis.logarithmic = true;
        const double first = std::floor(std::log10(least));
        const double last = std::max(first + 1, std::ceil(std::log10(most)));
        const double step = std::max(1.0, std::ceil((last - first) / 8));
        for (double exponent = first; exponent < last + step; exponent += step) {
            axis.ticks.push_back(std::pow(10.0, exponent));
        }
    } else {
        if (chart.kind == Chart::Kind::bars) least = std::min(least, 0.0);
        axis.ticks = axis_ticks(least, most, 7);
    }
    axis.first = axis.ticks.front();
    axis.last = axis.ticks.back();
    return axis;
}

Axis x_axis(const Chart& chart) {
    Axis axis;
    if (chart.kind == Chart::Kind::bars) {
        axis.first = -0.5;
        axis.last = static_cast<double>(chart.categories.size()) - 0.5;
        return axis;
    }
    double least = INFINITY;
    double most = -INFINITY;
    for (const Series& series : chart.series) {
        for (const auto& [x, y] : series.points) {
            least = std::min(least, x);
            most = std::max(most, x);
        }
    }
    axis.ticks = axis_ticks(least, most, 9);
    axis.first = axis.ticks.front();
    axis.last = axis.ticks.back();
    return axis;
}

std::string number(double value, bool logarithmic) {
    if (!logarithmic) return fmt::format("{:.6g}", std::abs(value) < 1e-12 ? 0 : value);
    const auto exponent = static_cast<int>(std::lround(std::log10(value)));
    static const std::array<const char*, 10> kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string power = exponent < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(exponent))) power += kDigits[static_cast<std::size_t>(digit - '0')];
    return "10" + power;
}

const Colour& colour_of(std::size_t series) {
    return kColours[series % kColours.size()];
}

/// A shape of its own for every series, so that the chart can be read without colours.
void mark(cairo_t* context, std::size_t series, double x, double y, double size, bool hollow) {
    cairo_new_path(context);
    switch (series % 4) {
        case 0:
            cairo_arc(context, x, y, size, 0, 6.28318530717958647692);
            break;
        case 1:
            cairo_rectangle(context, x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8);
            break;
        case 2:
            cairo_move_to(context, x, y - size * 1.2);
            cairo_line_to(context, x + size * 1.15, y + size * 0.9);
            cairo_line_to(context, x - size * 1.15, y + size * 0.9);
            cairo_close_path(context);
            break;
        default:
            cairo_move_to(context, x, y - size * 1.3);
            cairo_line_to(context, x + size * 1.3, y);
            cairo_line_to(context, x, y + size * 1.3);
            cairo_line_to(context, x - size * 1.3, y);
            cairo_close_path(context);
            break;
    }
    if (hollow) {
        cairo_set_source_rgb(context, 1, 1, 1);
        cairo_fill_preserve(context);
        set_colour(context, colour_of(series));
        cairo_set_line_width(context, 1.3);
        cairo_stroke(context);
    } else {
        set_colour(context, colour_of(series));
        cairo_fill(context);
    }
}

void line_style(cairo_t* context, const Series& series, std::size_t index) {
    const double dashes[] = {5, 4};
    cairo_set_dash(context, dashes, series.reference ? 2 : 0, 0);
    cairo_set_line_width(context, series.reference ? 1.3 : 2.2);
    set_colour(context, colour_of(index));
}

void draw_lines(cairo_t* context, const Chart& chart, const Frame& frame) {
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        const Series& series = chart.series[i];
        line_style(context, series, i);
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
        cairo_new_path(context);
        for (const auto& [x, y] : series.points) {
            if (drawable(chart, y)) cairo_line_to(context, frame.at_x(x), frame.at_y(y));
        }
        cairo_stroke(context);
        cairo_set_dash(context, nullptr, 0, 0);
        // Many marks would merge, and those of coinciding lines would hide each other.
        const std::size_t stride = std::max<std::size_t>(1, series.points.size() / 10);
        for (std::size_t p = i % stride; p < series.points.size(); p += stride) {
            const auto& [x, y] = series.points[p];
            if (drawable(chart, y)) mark(context, i, frame.at_x(x), frame.at_y(y), 3.6, series.reference);
        }
    }
}

void draw_bar(cairo_t* context, std::size_t series, bool hollow, const Rectangle& bar) {
    const auto [x, y, width, height] = bar;
    set_colour(context, colour_of(series));
    if (hollow) {
        cairo_rectangle(context, x + 0.75, y + 0.75, std::max(0.0, width - 1.5), std::max(0.0, height - 0.75));
        cairo_set_line_width(context, 1.5);
        cairo_stroke(context);
    } else {
        cairo_rectangle(context, x, y, width, height);
        cairo_fill(context);
    }
}

void draw_bars(cairo_t* context, const Chart& chart, const Frame& frame) {
    const double group = (frame.right - frame.left) / static_cast<double>(chart.categories.size());
    const double width = std::min(64.0, group * 0.78 / static_cast<double>(chart.series.size()));
    const double zero = chart.y_scale == Chart::Scale::linear ? frame.at_y(0) : frame.bottom;
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        const double offset = (static_cast<double>(i) - static_cast<double>(chart.series.size()) / 2) * width;
        for (const auto& [x, y] : chart.series[i].points) {
            if (!drawable(chart, y)) continue;
            const double left = frame.at_x(x) + offset + 1.5;
            const double end = frame.at_y(y);
            draw_bar(context, i, chart.series[i].reference,
                     {left, std::min(end, zero), width - 3, std::abs(zero - end)});
            const Label value(context, fmt::format("{:.{}f}", y, chart.bar_digits), width < 34 ? 9 : 11);
            const double above = y < 0 ? end + 2 : end - value.height() - 2;
            value.draw(left + (width - 3 - value.width()) / 2, above, kText);
        }
    }
    for (std::size_t c = 0; c < chart.categories.size(); ++c) {
        const Label label(context, chart.categories[c], kTextSize, group - 4);
        label.draw(frame.at_x(static_cast<double>(c)) - label.width() / 2, frame.bottom + kGap, kText);
    }
}

void draw_axes(cairo_t* context, const Chart& chart, const Frame& frame) {
    cairo_set_line_width(context, 1);
    for (const double tick : frame.y.ticks) {
        const double y = std::round(frame.at_y(tick)) + 0.5;
        cairo_move_to(context, frame.left, y);
        cairo_line_to(context, frame.right, y);
        set_colour(context, tick == 0 ? kAxis : kGrid);
        cairo_stroke(context);
        const Label label(context, number(tick, frame.y.logarithmic), kTextSize);
        label.draw(frame.left - kGap - label.width(), y - label.height() / 2, kMuted);
    }
    for (const double tick : frame.x.ticks) {
        const double x = std::round(frame.at_x(tick)) + 0.5;
        cairo_move_to(context, x, frame.bottom);
        cairo_line_to(context, x, frame.bottom + 4);
        set_colour(context, kAxis);
        cairo_stroke(context);
        const Label label(context, number(tick, false), kTextSize);
        label.draw(x - label.width() / 2, frame.bottom + kGap, kMuted);
    }
    cairo_move_to(context, frame.left, std::round(frame.bottom) + 0.5);
    cairo_line_to(context, frame.right, std::round(frame.bottom) + 0.5);
    set_colour(context, kAxis);
    cairo_stroke(context);

    const Label x_label(context, chart.x_label, kTextSize, frame.right - frame.left);
    x_label.draw((frame.left + frame.right - x_label.width()) / 2, kHeight - kMargin / 2 - x_label.height(), kMuted);
    const Label y_label(context, chart.y_label, kTextSize, frame.bottom - frame.top);
    cairo_save(context);
    cairo_translate(context, kMargin / 2, (frame.top + frame.bottom + y_label.width()) / 2);
    cairo_rotate(context, -1.57079632679489661923);
    y_label.draw(0, 0, kMuted);
    cairo_restore(context);
}

/// @return the height that it takes
double draw_legend(cairo_t* context, const Chart& chart, double top, double left, double right) {
    constexpr double kSample = 26;
    const double line = Label(context, "x", kTextSize).height() + 5;
    double x = left;
    double y = top;
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        const Series& series = chart.series[i];
        const Label label(context, series.name, kTextSize, right - left - kSample - kGap);
        const double width = kSample + 6 + label.width();
        if (x > left && x + width > right) {
            x = left;
            y += line;
        }
        const double middle = y + label.height() / 2;
        if (chart.kind == Chart::Kind::lines) {
            line_style(context, series, i);
            cairo_move_to(context, x, middle);
            cairo_line_to(context, x + kSample, middle);
            cairo_stroke(context);
            cairo_set_dash(context, nullptr, 0, 0);
            mark(context, i, x + kSample / 2, middle, 3.6, series.reference);
        } else {
            draw_bar(context, i, series.reference, {x + 8, middle - 5, 14, 10});
        }
        label.draw(x + kSample + 6, y, kText);
        x += width + 20;
    }
    return y + line - top;
}

void draw(cairo_t* context, const Chart& chart) {
    const Label title(context, chart.title, kTitleSize, kWidth - 2 * kMargin, Weight::bold);
    title.draw(kMargin, kMargin - 6, kText);
    double top = kMargin - 6 + title.height() + 4;
    if (!chart.subtitle.empty()) {
        const Label subtitle(context, chart.subtitle, kTextSize, kWidth - 2 * kMargin);
        subtitle.draw(kMargin, top, kMuted);
        top += subtitle.height() + kGap;
    }
    top += draw_legend(context, chart, top, kMargin, kWidth - kMargin) + kGap;

    Frame frame{0, top + kGap, kWidth - kMargin - 6, kHeight - 58, x_axis(chart), y_axis(chart)};
    double widest = 0;
    for (const double tick : frame.y.ticks) {
        widest = std::max(widest, Label(context, number(tick, frame.y.logarithmic), kTextSize).width());
    }
    frame.left = kMargin / 2 + 20 + widest + kGap;
    draw_axes(context, chart, frame);
    if (chart.kind == Chart::Kind::lines) {
        draw_lines(context, chart, frame);
    } else {
        draw_bars(context, chart, frame);
    }
}

Page page_of(const Chart& chart) {
    return {kWidth, kHeight, chart.title, [&chart](cairo_t* context) { draw(context, chart); }};
}

}  // namespace

std::vector<double> axis_ticks(double least, double most, std::size_t count) {
    if (most <= least) most = least + 1;
    const double rough = (most - least) / static_cast<double>(count);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0}) {
        if (factor * power >= rough * (1 - 1e-9)) step = factor * power;
    }
    // Whole multiples of the step, so that a round number is not missed by a rounding error.
    const auto first = static_cast<long>(std::floor(least / step + 1e-9));
    const auto last = static_cast<long>(std::ceil(most / step - 1e-9));
    std::vector<double> ticks;
    for (long i = first; i <= last; ++i) ticks.push_back(static_cast<double>(i) * step);
    return ticks;
}

std::string chart_svg(const Chart& chart) {
    return page_svg(page_of(chart));
}

std::string chart_png(const Chart& chart) {
    return page_png(page_of(chart));
}

}  // namespace softalign
