#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

enum class DataType { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };

std::size_t size_of(DataType type);
const char* name(DataType type);  ///< as in the file: "F32"

/// "[3, 4]", for messages.
std::string shape_text(const std::vector<std::size_t>& shape);

/// One tensor inside a file's bytes, which it does not own. `data` need not be aligned.
struct TensorView {
    DataType type;
    std::vector<std::size_t> shape;
    const std::uint8_t* data;
    std::size_t bytes;
    std::size_t elements() const { return bytes / size_of(type); }
};

/// The parsed header of a safetensors file.
struct SafeTensors {
    std::map<std::string, TensorView> tensors;
    std::map<std::string, std::string> metadata;
};

/// Whether the header of a file is among its first `arrived` bytes.
bool has_whole_header(const std::uint8_t* bytes, std::size_t arrived);

/// Parses the header of an untrusted file of `size` bytes. The data need not have arrived behind the header yet; the
/// views point to its place. Sizes are checked for overflow before anything depends on them; tensors must cover the
/// data section without gap or overlap. Throws FormatError that names the tensor or key.
SafeTensors parse_safetensors(const std::uint8_t* bytes, std::size_t size);

struct TensorToWrite {
    std::string name;
    DataType type;
    std::vector<std::size_t> shape;
    const void* data;
};

/// The bytes of a file that every safetensors reader accepts: header padded to 8 bytes, tensors in the order given
/// (widest type first, as the reference writer does, so that every tensor is aligned).
std::vector<std::uint8_t> write_safetensors(const std::vector<TensorToWrite>& tensors,
                                            const std::map<std::string, std::string>& metadata);

/// Values as floats, converted from F64, F32, F16 or BF16. Throws FormatError for other types; `name` is for the
/// message.
std::vector<float> to_floats(const TensorView& tensor, const std::string& name);
/// The same to `out` [elements].
void to_floats(const TensorView& tensor, const std::string& name, float* out);

}  // namespace softalign
