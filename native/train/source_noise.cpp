#include "native/train/source_noise.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <vector>

#include "core/text/unicode.hpp"
#include "native/data/normalise.hpp"

namespace softalign {

namespace {

using CodePoint = utf8proc_int32_t;

std::vector<CodePoint> code_points(const std::string& text) {
    std::vector<CodePoint> points;
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    for (std::size_t at = 0; at < text.size();) {
        CodePoint point = 0;
        const auto left = static_cast<utf8proc_ssize_t>(text.size() - at);
        at += static_cast<std::size_t>(utf8proc_iterate(bytes + at, left, &point));
        points.push_back(point);
    }
    return points;
}

std::string utf8(const std::vector<CodePoint>& points) {
    std::string text;
    for (const CodePoint point : points) {
        utf8proc_uint8_t bytes[4];
        const auto count = static_cast<std::size_t>(utf8proc_encode_char(point, bytes));
        text.append(reinterpret_cast<const char*>(bytes), count);
    }
    return text;
}

bool is_letter(CodePoint point) {
    const utf8proc_category_t category = utf8proc_category(point);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool is_punctuation(CodePoint point) {
    const utf8proc_category_t category = utf8proc_category(point);
    return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

void drop_final_punctuation(std::vector<CodePoint>& points) {
    std::size_t end = points.size();
    while (end > 0 && (is_punctuation(points[end - 1]) || points[end - 1] == ' ')) --end;
    if (end > 0) points.resize(end);
}

/// The first letter stays, because people rarely get it wrong.
void mistype(std::vector<CodePoint>& points, const RandomStream& random, std::uint64_t position) {
    std::vector<std::size_t> inner;
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (is_letter(points[i - 1]) && is_letter(points[i])) inner.push_back(i);
    }
    if (inner.empty()) return;
    const std::size_t letter = inner[random.bits(position) % inner.size()];
    const auto at = points.begin() + static_cast<std::ptrdiff_t>(letter);
    switch (random.bits(position + 1) % 4) {
        case 0:
            if (letter + 1 < points.size() && is_letter(points[letter + 1])) std::iter_swap(at, at + 1);
            break;
        case 1:
            points.erase(at);
            break;
        case 2:
            points.insert(at, *at);
            break;
        default:
            *at = points[inner[random.bits(position + 2) % inner.size()]];
    }
}

}  // namespace

std::string disturb_source(const std::string& text, const RandomStream& random, std::uint64_t position) {
    std::vector<CodePoint> points = code_points(text);
    switch (random.bits(position) % 4) {
        case 0:
            for (CodePoint& point : points) point = utf8proc_toupper(point);
            break;
        case 1:
            for (CodePoint& point : points) point = utf8proc_tolower(point);
            break;
        case 2:
            drop_final_punctuation(points);
            break;
        default:
            mistype(points, random, position + 1);
    }
    // After a change of case or of neighbours, marks may compose with other characters before them.
    return prepare_text(utf8(points), to_nfc);
}

}  // namespace softalign
