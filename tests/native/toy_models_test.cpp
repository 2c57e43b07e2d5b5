#include "tests/native/toy_models.hpp"

using namespace softalign::testing;

TEST_CASE("the toy models are trained", "[.][train toy]") {
    const TemporaryFolder folder;
    prepare_toy(folder);
    const std::filesystem::path result = SOFTALIGN_TOY;
    std::filesystem::remove_all(result);
    std::filesystem::create_directories(result);
    for (const std::string name : {"train.tsv", "valid.tsv", "toy.json"}) {
        std::filesystem::copy(folder / name, result / name);
    }
    for (const auto& [name, options] : std::vector<std::pair<std::string, std::string>>{
             {"toy.safetensors", "--epochs 8"},
             {"dot.safetensors", "--epochs 2 --style luong --score dot --dec-hidden 24 --input-feeding"},
             {"none.safetensors", "--epochs 2 --style none"}}) {
        const Outcome outcome =
            run(folder, "train train.tsv --valid valid.tsv --config toy.json --out " + name + " " + options);
        INFO(outcome.err);
        REQUIRE(outcome.status == 0);
        std::filesystem::copy(folder / name, result / name);
    }
}
