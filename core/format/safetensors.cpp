#include "core/format/safetensors.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <tuple>

#include "core/error.hpp"
#include "core/format/half.hpp"
#include "core/json.hpp"

namespace softalign {

using nlohmann::json;

namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // the reference implementation's limit

struct TypeInformation {
    DataType type;
    std::size_t size;
    const char* name;
};

constexpr std::array<TypeInformation, 10> kTypes{{{DataType::f64, 8, "F64"},
                                                  {DataType::f32, 4, "F32"},
                                                  {DataType::f16, 2, "F16"},
                                                  {DataType::bf16, 2, "BF16"},
                                                  {DataType::i64, 8, "I64"},
                                                  {DataType::i32, 4, "I32"},
                                                  {DataType::i16, 2, "I16"},
                                                  {DataType::i8, 1, "I8"},
                                                  {DataType::u8, 1, "U8"},
                                                  {DataType::boolean, 1, "BOOL"}}};

const TypeInformation& information(DataType type) {
    return *std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& known) { return known.type == type; });
}

DataType type_from(const json& name, const std::string& what) {
    for (const TypeInformation& known : kTypes) {
        if (name == known.name) return known.type;
    }
    throw FormatError(what + ": the dtype " + shown_text(name.is_string() ? name.get<std::string>() : name.dump()) +
                      " is not supported.");
}

std::uint64_t unsigned_from(const json& value, const char* key, const std::string& what) {
    if (!value.is_number_unsigned()) throw FormatError(what + ": " + key + " must hold non-negative integers.");
    return value.get<std::uint64_t>();
}

/// Bytes of a tensor, checked step by step: no product ever exceeds `most`.
std::uint64_t checked_bytes(const std::vector<std::uint64_t>& shape, std::uint64_t element, std::uint64_t most,
                            const std::string& what) {
    // An extent of 0 makes the others harmless, wherever it is.
    if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return 0;
    std::uint64_t bytes = element;
    for (std::uint64_t extent : shape) {
        if (extent > most / bytes) throw FormatError(what + ": its shape needs more bytes than the file has.");
        bytes *= extent;
    }
    return bytes;
}

struct Place {
    std::uint64_t begin;
    std::uint64_t end;
    std::string name;

    bool operator<(const Place& other) const { return std::tie(begin, end) < std::tie(other.begin, other.end); }
};

/// Tensors must cover the data section without gap or overlap.
void check_places(std::vector<Place> places, std::uint64_t data_size) {
    std::sort(places.begin(), places.end());
    std::uint64_t covered = 0;
    for (const Place& place : places) {
        if (place.begin != covered) {
            throw FormatError("tensor " + shown_text(place.name) + ": it starts at byte " +
                              std::to_string(place.begin) + " of the data, but " +
                              (place.begin < covered ? "overlaps what ends" : "leaves a gap from what ends") +
                              " at byte " + std::to_string(covered) + ".");
        }
        covered = place.end;
    }
    if (covered != data_size) {
        throw FormatError("The tensors end at byte " + std::to_string(covered) + " of the data, but the file has " +
                          std::to_string(data_size) + " bytes of it: it is damaged or incomplete.");
    }
}

std::map<std::string, std::string> metadata_from(const json& object) {
    if (!object.is_object()) throw FormatError("__metadata__ must be a JSON object.");
    std::map<std::string, std::string> metadata;
    for (const auto& [key, value] : object.items()) {
        if (!value.is_string())
            throw FormatError("__metadata__: the value of " + shown_text(key) + " is not a string.");
        metadata[key] = value.get<std::string>();
    }
    return metadata;
}

/// Parses one entry of the header; `data` is the section of `data_size` bytes after it.
TensorView tensor_from(const json& entry, const std::string& what, const std::uint8_t* data, std::uint64_t data_size,
                       Place& place) {
    require_keys_among(entry, {"dtype", "shape", "data_offsets"}, what);
    const DataType type = type_from(member(entry, "dtype", what), what);
    const json& extents = member(entry, "shape", what);
    const json& offsets = member(entry, "data_offsets", what);
    if (!extents.is_array()) throw FormatError(what + ": shape must be a list.");
    if (!offsets.is_array() || offsets.size() != 2) throw FormatError(what + ": data_offsets must be two integers.");

    place.begin = unsigned_from(offsets[0], "data_offsets", what);
    place.end = unsigned_from(offsets[1], "data_offsets", what);
    if (place.begin > place.end || place.end > data_size) {
        throw FormatError(what + ": data_offsets [" + std::to_string(place.begin) + ", " + std::to_string(place.end) +
                          "] do not lie in the " + std::to_string(data_size) + " bytes of data.");
    }
    std::vector<std::uint64_t> shape;
    for (const json& extent : extents) shape.push_back(unsigned_from(extent, "shape", what));
    const std::uint64_t bytes = checked_bytes(shape, size_of(type), data_size, what);
    if (bytes != place.end - place.begin) {
        throw FormatError(what + ": its shape and dtype need " + std::to_string(bytes) +
                          " bytes, but data_offsets give it " + std::to_string(place.end - place.begin) + ".");
    }
    TensorView tensor{type, {}, data + place.begin, static_cast<std::size_t>(bytes)};
    for (std::uint64_t extent : shape) {
        if (extent > SIZE_MAX) throw FormatError(what + ": an extent is too large for this machine.");
        tensor.shape.push_back(static_cast<std::size_t>(extent));
    }
    return tensor;
}

std::uint64_t header_size_of(const std::uint8_t* bytes) {
    std::uint64_t size = 0;
    for (std::size_t i = kLengthBytes; i-- > 0;) size = size << 8U | bytes[i];
    return size;
}

template <class Value>
Value load(const std::uint8_t* bytes, std::size_t index) {
    Value value;
    std::memcpy(&value, bytes + index * sizeof value, sizeof value);
    return value;
}

template <class Stored, class Convert>
void convert_all(const TensorView& tensor, float* out, Convert&& convert) {
    const std::size_t size = tensor.elements();
    for (std::size_t i = 0; i < size; ++i) out[i] = convert(load<Stored>(tensor.data, i));
}

/// Files that people mistake for models, by their first bytes.
struct OtherFile {
    std::string_view beginning;
    const char* what;
};
constexpr OtherFile kOtherFiles[] = {
    {"version https://git-lfs", "a Git LFS pointer in place of the file. Fetch the file with git lfs pull."},
    {"\x1F\x8B", "a gzip. Unpack it first."},
    {"PK\x03\x04", "a zip, as torch.save writes. Save the weights with safetensors.torch.save_file."},
    {"\x80\x02", "a Python pickle, as torch.save writes. Save the weights with safetensors.torch.save_file."},
    {"<", "a web page or XML."},
    {"{", "JSON text."},
};

/// Throws FormatError for a file of another known kind.
void refuse_other_files(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view file(reinterpret_cast<const char*>(bytes), size);
    if (size > kLengthBytes && file[kLengthBytes] == '{') return;
    for (const OtherFile& other : kOtherFiles) {
        if (file.substr(0, other.beginning.size()) == other.beginning) {
            throw FormatError(std::string("This is not a safetensors file but ") + other.what);
        }
    }
}

}  // namespace

std::size_t size_of(DataType type) {
    return information(type).size;
}
const char* name(DataType type) {
    return information(type).name;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
    std::string text;
    for (std::size_t extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
    return "[" + text + "]";
}

bool has_whole_header(const std::uint8_t* bytes, std::size_t arrived) {
    return arrived >= kLengthBytes && header_size_of(bytes) <= arrived - kLengthBytes;
}

SafeTensors parse_safetensors(const std::uint8_t* bytes, std::size_t size) {
    refuse_other_files(bytes, size);
    if (size < kLengthBytes) throw FormatError("The file is too short to be a safetensors file.");
    const std::uint64_t header_size = header_size_of(bytes);
    if (header_size > kLongestHeader) {
        throw FormatError("This is not a safetensors file: its header would have " + std::to_string(header_size) +
                          " bytes; at most " + std::to_string(kLongestHeader) + " are allowed.");
    }
    if (header_size > size - kLengthBytes) {
        throw FormatError("The file is incomplete: its header has " + std::to_string(header_size) +
                          " bytes, but only " + std::to_string(size - kLengthBytes) + " follow.");
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes) + kLengthBytes,
                                static_cast<std::size_t>(header_size));
    if (text.empty() || text.front() != '{') throw FormatError("The header of the file does not start with '{'.");
    const json header = parse_json(text, "header");
    const std::uint8_t* data = bytes + kLengthBytes + header_size;
    const std::uint64_t data_size = size - kLengthBytes - header_size;

    SafeTensors file;
    std::vector<Place> places;
    for (const auto& [key, entry] : header.items()) {
        if (key == "__metadata__") {
            file.metadata = metadata_from(entry);
            continue;
        }
        places.push_back({0, 0, key});
        file.tensors.emplace(key, tensor_from(entry, "tensor " + shown_text(key), data, data_size, places.back()));
    }
    check_places(std::move(places), data_size);
    return file;
}

std::vector<std::uint8_t> write_safetensors(const std::vector<TensorToWrite>& tensors,
                                            const std::map<std::string, std::string>& metadata) {
    std::vector<const TensorToWrite*> ordered;
    for (const TensorToWrite& tensor : tensors) ordered.push_back(&tensor);
    std::stable_sort(ordered.begin(), ordered.end(), [](const TensorToWrite* a, const TensorToWrite* b) {
        return size_of(a->type) > size_of(b->type);
    });

    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::vector<std::size_t> sizes;
    std::set<std::string> names{"__metadata__"};
    std::size_t data_size = 0;
    for (const TensorToWrite* tensor : ordered) {
        if (!names.insert(tensor->name).second) {
            throw UsageError("A tensor named " + shown_text(tensor->name) + " cannot be written twice.");
        }
        std::size_t bytes = size_of(tensor->type);
        for (std::size_t extent : tensor->shape) bytes *= extent;
        header.push_back({tensor->name,
                          {{"dtype", name(tensor->type)},
                           {"shape", tensor->shape},
                           {"data_offsets", {data_size, data_size + bytes}}}});
        sizes.push_back(bytes);
        data_size += bytes;
    }
    std::string text;
    try {
        text = header.dump();
    } catch (const json::exception&) {
        throw UsageError("The name of a tensor or its metadata is not UTF-8, which safetensors needs.");
    }
    text.resize((text.size() + 7) / 8 * 8, ' ');  // the data starts aligned
    if (text.size() > kLongestHeader) {
        throw UsageError("The names and metadata of a safetensors file take at most " + std::to_string(kLongestHeader) +
                         " bytes; these take " + std::to_string(text.size()) + ".");
    }

    std::vector<std::uint8_t> file;
    file.reserve(kLengthBytes + text.size() + data_size);
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
        file.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(text.size()) >> (8 * i)));
    }
    file.insert(file.end(), text.begin(), text.end());
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        const auto* data = static_cast<const std::uint8_t*>(ordered[i]->data);
        file.insert(file.end(), data, data + sizes[i]);
    }
    return file;
}

std::vector<float> to_floats(const TensorView& tensor, const std::string& name) {
    std::vector<float> values(tensor.elements());
    to_floats(tensor, name, values.data());
    return values;
}

void to_floats(const TensorView& tensor, const std::string& name, float* out) {
    switch (tensor.type) {
        case DataType::f64:
            return convert_all<double>(tensor, out, [](double value) { return float_from_double(value); });
        case DataType::f32:
            std::memcpy(out, tensor.data, tensor.bytes);
            return;
        case DataType::f16:
            return convert_all<std::uint16_t>(tensor, out, float_from_half);
        case DataType::bf16:
            return convert_all<std::uint16_t>(tensor, out, float_from_bfloat);
        default:
            throw FormatError("tensor " + shown_text(name) + ": its dtype is " + softalign::name(tensor.type) +
                              ", but numbers of F64, F32, F16 or BF16 are needed.");
    }
}

}  // namespace softalign
