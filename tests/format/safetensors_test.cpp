#include "core/format/safetensors.hpp"

#include <fstream>
#include <iterator>
#include <limits>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/format/small_model.hpp"

using namespace softalign;

namespace {

std::string refusal_of(const std::vector<std::uint8_t>& file) {
    try {
        parse_safetensors(file.data(), file.size());
    } catch (const FormatError& error) {
        return error.what();
    }
    return "accepted";
}

std::string refusal(const std::string& header, std::size_t data = 0) {
    return refusal_of(file_with_header(header, data));
}

bool mentions(const std::string& message, const std::string& part) {
    INFO(message);
    return message.find(part) != std::string::npos;
}

std::string tensor(const std::string& name, const std::string& type, const std::string& shape,
                   const std::string& offsets) {
    return '"' + name + R"(":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

}  // namespace

TEST_CASE("what is written is read back") {
    const std::vector<float> floats{1, -2, 3, 0.5F, 5, 6};
    const std::vector<std::int8_t> bytes{1, -2, 3};
    const std::vector<std::uint16_t> halves{0x3C00, 0xC000};
    const std::map<std::string, std::string> metadata{{"key", "value \"quoted\" é"}};
    const auto file = write_safetensors({{"small", DataType::i8, {3}, bytes.data()},
                                         {"middle", DataType::f16, {2}, halves.data()},
                                         {"large", DataType::f32, {2, 3}, floats.data()},
                                         {"empty", DataType::f32, {0, 4}, nullptr},
                                         {"scalar", DataType::f32, {}, floats.data()}},
                                        metadata);
    const SafeTensors read = parse_safetensors(file.data(), file.size());
    CHECK(read.metadata == metadata);
    REQUIRE(read.tensors.size() == 5);
    CHECK(to_floats(read.tensors.at("large"), "large") == floats);
    CHECK(read.tensors.at("large").shape == std::vector<std::size_t>{2, 3});
    CHECK(to_floats(read.tensors.at("middle"), "middle") == std::vector<float>{1, -2});
    CHECK(read.tensors.at("small").elements() == 3);
    CHECK(read.tensors.at("empty").elements() == 0);
    CHECK(to_floats(read.tensors.at("scalar"), "scalar") == std::vector<float>{1});
}

TEST_CASE("every tensor of a written file is aligned to its type") {
    const std::vector<double> data(4, 1.0);
    const auto file = write_safetensors({{"a", DataType::i8, {3}, data.data()},
                                         {"b", DataType::f64, {2}, data.data()},
                                         {"c", DataType::f16, {1}, data.data()},
                                         {"d", DataType::f32, {1}, data.data()}},
                                        {});
    const SafeTensors read = parse_safetensors(file.data(), file.size());
    for (const auto& [name, view] : read.tensors) {
        CHECK(static_cast<std::size_t>(view.data - file.data()) % size_of(view.type) == 0);
    }
}

TEST_CASE("a file that the reference implementation wrote is read") {
    std::ifstream stream(std::string(SOFTALIGN_SOURCE_DIR) + "/tests/golden/additive/tensors.safetensors",
                         std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    const SafeTensors read = parse_safetensors(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    CHECK(read.tensors.at("w.encoder.embed.weight").shape == std::vector<std::size_t>{23, 12});
    CHECK(to_floats(read.tensors.at("w.decoder.head.bias"), "w.decoder.head.bias").size() == 29);
}

TEST_CASE("a tensor is not written twice, nor in place of the metadata") {
    const float x = 1;
    CHECK_THROWS_AS(write_safetensors({{"a", DataType::f32, {}, &x}, {"a", DataType::f32, {}, &x}}, {}), UsageError);
    CHECK_THROWS_AS(write_safetensors({{"__metadata__", DataType::f32, {}, &x}}, {}), UsageError);
    CHECK_THROWS_AS(write_safetensors({{"\xFF", DataType::f32, {}, &x}}, {}), UsageError);
    CHECK_THROWS_AS(write_safetensors({}, {{"key", "\xFF"}}), UsageError);
}

TEST_CASE("a header that is no header is refused") {
    CHECK(mentions(refusal_of({}), "too short"));
    CHECK(mentions(refusal_of({1, 2, 3, 4, 5, 6, 7}), "too short"));
    CHECK(mentions(refusal_of({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}), "header"));
    CHECK(mentions(refusal_of({3, 0, 0, 0, 0, 0, 0, 0, '{', '}'}), "incomplete"));
    CHECK(mentions(refusal(""), "'{'"));
    CHECK(mentions(refusal(" {}"), "'{'"));
    CHECK(mentions(refusal("{"), "JSON"));
    CHECK(mentions(refusal("{} x"), "JSON"));
    CHECK(mentions(refusal("{\"\xFF\":1}"), "JSON"));
    CHECK(mentions(refusal("{\"a\":" + std::string(50000, '[')), "nested"));
    CHECK(refusal("{}") == "accepted");
    CHECK(refusal("{}      ") == "accepted");
}

TEST_CASE("a header longer than the limit is refused before it is read") {
    std::vector<std::uint8_t> file(8, 0);
    const std::uint64_t size = 100'000'001;
    for (std::size_t i = 0; i < 8; ++i) file[i] = static_cast<std::uint8_t>(size >> (8 * i));
    CHECK(mentions(refusal_of(file), "100000001"));
}

TEST_CASE("a header longer than the limit is not written either") {
    const std::string card(100'000'000, 'x');
    CHECK_THROWS_AS(write_safetensors({}, {{"card", card}}), UsageError);
}

TEST_CASE("an ill-formed tensor is refused by its name") {
    CHECK(refusal("{" + tensor("t", "F32", "[2]", "[0,8]") + "}", 8) == "accepted");
    for (const std::string& entry : {
             std::string(R"("t":3)"),
             std::string(R"("t":{})"),
             std::string(R"("t":{"dtype":"F32","shape":[]})"),
             std::string(R"("t":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"strides":[1]})"),
             tensor("t", "F8", "[8]", "[0,8]"),
             std::string(R"("t":{"dtype":7,"shape":[2],"data_offsets":[0,8]})"),
             tensor("t", "F32", "2", "[0,8]"),
             tensor("t", "F32", "[-2]", "[0,8]"),
             tensor("t", "F32", "[2.0]", "[0,8]"),
             tensor("t", "F32", "[\"2\"]", "[0,8]"),
             tensor("t", "F32", "[99999999999999999999999]", "[0,8]"),
             tensor("t", "F32", "[2]", "[0,8,8]"),
             tensor("t", "F32", "[2]", "[0]"),
             tensor("t", "F32", "[2]", "8"),
             tensor("t", "F32", "[2]", "[0,-8]"),
             tensor("t", "F32", "[2]", "[8,0]"),
             tensor("t", "F32", "[2]", "[0,16]"),
             tensor("t", "F32", "[3]", "[0,8]"),
             tensor("t", "F32", "[1]", "[0,8]"),
             tensor("t", "F64", "[2]", "[0,8]"),
             tensor("t", "F32", "[0]", "[0,8]"),
         }) {
        CHECK(mentions(refusal("{" + entry + "}", 8), "\"t\""));
    }
}

TEST_CASE("a shape whose product overflows is refused") {
    // 2^62 * 4 bytes and 2^32 * 2^32 are 0 modulo 2^64.
    CHECK(mentions(refusal("{" + tensor("t", "F32", "[4611686018427387904]", "[0,0]") + "}"), "\"t\""));
    CHECK(mentions(refusal("{" + tensor("t", "U8", "[4294967296,4294967296]", "[0,0]") + "}"), "\"t\""));
    CHECK(mentions(refusal("{" + tensor("t", "F32", "[2]", "[18446744073709551608,18446744073709551616]") + "}"),
                   "\"t\""));
    CHECK(refusal("{" + tensor("t", "F32", "[18446744073709551615,0]", "[0,0]") + "}") == "accepted");
}

TEST_CASE("tensors that overlap, leave a gap or do not reach the end are refused") {
    const std::string a = tensor("a", "U8", "[4]", "[0,4]");
    CHECK(refusal("{" + a + "," + tensor("b", "U8", "[4]", "[4,8]") + "}", 8) == "accepted");
    CHECK(mentions(refusal("{" + a + "," + tensor("b", "U8", "[5]", "[3,8]") + "}", 8), "overlaps"));
    CHECK(mentions(refusal("{" + a + "," + tensor("b", "U8", "[4]", "[0,4]") + "}", 4), "overlaps"));
    CHECK(mentions(refusal("{" + a + "," + tensor("b", "U8", "[3]", "[5,8]") + "}", 8), "gap"));
    CHECK(mentions(refusal("{" + tensor("b", "U8", "[3]", "[5,8]") + "}", 8), "gap"));
    CHECK(mentions(refusal("{" + a + "}", 8), "incomplete"));
    CHECK(mentions(refusal("{}", 1), "incomplete"));
}

TEST_CASE("a name that appears twice is refused") {
    const std::string a = tensor("a", "U8", "[4]", "[0,4]");
    CHECK(mentions(refusal("{" + a + "," + a + "}", 4), "\"a\" appears twice"));
    CHECK(
        mentions(refusal(R"({"a":{"dtype":"U8","dtype":"I8","shape":[4],"data_offsets":[0,4]}})", 4), "appears twice"));
    CHECK(mentions(refusal(R"({"__metadata__":{"k":"1","k":"2"}})"), "\"k\" appears twice"));
}

TEST_CASE("metadata must be strings") {
    CHECK(mentions(refusal(R"({"__metadata__":[]})"), "__metadata__"));
    CHECK(mentions(refusal(R"({"__metadata__":{"k":1}})"), "\"k\""));
}

TEST_CASE("only numbers of a floating type become floats") {
    const std::vector<std::int32_t> data{1, 2};
    const TensorView view{DataType::i32, {2}, reinterpret_cast<const std::uint8_t*>(data.data()), 8};
    try {
        to_floats(view, "weights");
        FAIL("accepted");
    } catch (const FormatError& error) {
        CHECK(mentions(error.what(), "weights"));
        CHECK(mentions(error.what(), "I32"));
    }
}

TEST_CASE("doubles become the nearest floats") {
    const std::vector<double> data{0.1, 1e300, -1e300, std::numeric_limits<double>::denorm_min(), 0x1.fffffe8p127};
    const TensorView view{DataType::f64, {5}, reinterpret_cast<const std::uint8_t*>(data.data()), 40};
    const float infinity = std::numeric_limits<float>::infinity();
    CHECK(to_floats(view, "x") == std::vector<float>{0.1F, infinity, -infinity, 0, std::numeric_limits<float>::max()});
}

TEST_CASE("a file of another kind is called what it is") {
    const auto refusal_of_text = [](const std::string& text) {
        return refusal_of(std::vector<std::uint8_t>(text.begin(), text.end()));
    };
    CHECK(mentions(refusal_of_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a"), "git lfs pull"));
    CHECK(mentions(refusal_of_text(std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03", 10)), "gzip"));
    CHECK(mentions(refusal_of_text(std::string("PK\x03\x04\x00\x00\x08\x08\x00\x00", 10)), "torch.save"));
    CHECK(mentions(refusal_of_text("\x80\x02\x8a\nl\xfc\x9c"
                                   "F\xf9 j"),
                   "pickle"));
    CHECK(mentions(refusal_of_text("<!DOCTYPE html><html>"), "web page"));
    CHECK(mentions(refusal_of_text("{\"version\": 1}"), "JSON"));
    CHECK(mentions(refusal_of_text("<html>"), "web page"));
}
