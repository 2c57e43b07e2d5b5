#include "native/train/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/error.hpp"
#include "native/evaluate/bleu.hpp"
#include "native/system/files.hpp"
#include "native/train/average.hpp"
#include "native/train/source_noise.hpp"

namespace softalign {

namespace {

constexpr std::uint64_t kStepsOfALogLine = 50;
constexpr unsigned kMostBadSteps = 20;
constexpr double kReasonableLoss = 25;        ///< nats a symbol: the reference was thought less likely than 2e-11
constexpr std::uint64_t kDrawsOfAPair = 256;  ///< random numbers of a pair in an epoch, at most
constexpr const char* kExtension = ".safetensors";

/// So that a typing mistake cannot overwrite, say, the training data with a model.
std::string without_extension(const std::string& path) {
    const std::filesystem::path model(path);
    if (model.extension() != kExtension) {
        throw UsageError("--out must be NAME" + std::string(kExtension) + ", not '" + path + "'");
    }
    if (std::filesystem::is_directory(model)) throw Error("cannot write '" + path + "': it is a folder");
    return std::filesystem::path(model).replace_extension().string();
}

std::vector<PairLength> lengths_of(const std::vector<EncodedPair>& pairs) {
    std::vector<PairLength> lengths;
    lengths.reserve(pairs.size());
    for (const EncodedPair& pair : pairs) lengths.push_back({pair.source.size(), pair.target.size() - 1});
    return lengths;
}

bool is_finite(const Parameters& parameters, const Configuration& configuration) {
    for (const ConstNamedTensor& tensor : named_tensors(parameters, configuration)) {
        if (!std::all_of(tensor.data, tensor.data + tensor.size, [](float x) { return std::isfinite(x); }))
            return false;
    }
    return true;
}

/// Never 0, which means that there is no fingerprint.
std::uint64_t validation_fingerprint(const TrainingData& data) {
    return std::max<std::uint64_t>(1, fingerprint(data.validation) ^ fingerprint(data.references));
}

double bleu_of(const std::vector<std::string>& translations, const std::vector<std::vector<std::string>>& references) {
    metrics::Bleu bleu;
    for (std::size_t i = 0; i < translations.size(); ++i) bleu.add(translations[i], references[i]);
    return bleu.score();
}

}  // namespace

TrainingFiles::TrainingFiles(const std::string& model)
    : best(model),
      last(without_extension(model) + ".last" + kExtension),
      log(without_extension(model) + ".log.jsonl"),
      lock(without_extension(model) + ".lock") {}

Trainer::Trainer(simd::Executor& executor, const Recipe& recipe, ModelDescription model, TrainingData data,
                 TrainingFiles files)
    : executor_(executor),
      recipe_(recipe),
      model_(std::move(model)),
      data_(std::move(data)),
      files_(std::move(files)),
      lengths_(lengths_of(data_.training)),
      log_(files_.log, false) {
    training_ = std::make_unique<Training>(model_.configuration, recipe_.training.options);
    if (recipe_.training.average_decay > 0) average_ = *training_->parameters();
    progress_.fingerprint = fingerprint(data_.training);
    progress_.validation_fingerprint = validation_fingerprint(data_);
    prepare_renaming();
    begin_epoch();
}

Trainer::Trainer(simd::Executor& executor, const Recipe& recipe, Checkpoint checkpoint, TrainingData data,
                 TrainingFiles files)
    : executor_(executor),
      recipe_(recipe),
      model_(std::move(checkpoint.model)),
      data_(std::move(data)),
      files_(std::move(files)),
      progress_(checkpoint.progress),
      lengths_(lengths_of(data_.training)),
      log_(files_.log, true) {
    require_same_data(checkpoint.progress);
    progress_.validation_fingerprint = validation_fingerprint(data_);
    if (checkpoint.averages != (recipe_.training.average_decay > 0)) {
        throw Error("cannot resume: averaging of weights cannot be switched on or off during a run (average_decay)");
    }
    average_ = std::move(checkpoint.average);
    last_validated_step_ = saved_step_ = checkpoint.adam.steps;
    training_ = std::make_unique<Training>(model_.configuration, recipe_.training.options, *checkpoint.parameters,
                                           std::move(checkpoint.adam));
    prepare_renaming();
    begin_epoch();
}

/// Another order of batches would leave pairs out, and the best value so far belongs to the old validation data.
void Trainer::require_same_data(const TrainingProgress& before) const {
    if (before.fingerprint != fingerprint(data_.training)) {
        throw Error("cannot resume: the training data differs from what '" + files_.last + "' was trained on");
    }
    const std::uint64_t validated = before.validation_fingerprint;
    if (validated != 0 && validated != validation_fingerprint(data_)) {
        throw Error("cannot resume: the validation data differs from what '" + files_.last + "' was validated on");
    }
}

void Trainer::prepare_renaming() {
    if (recipe_.training.renaming > 0) renaming_ = std::make_unique<Renaming>(data_.training_texts.sources);
}

void Trainer::begin_epoch() {
    const TrainingRecipe& recipe = recipe_.training;
    batches_ = epoch_batches(lengths_, recipe.batch_words, recipe.options.seed, progress_.epoch);
    if (batches_of_an_epoch_ > 0) return;
    // Always counted in the first epoch, so that a resumed run has the same schedule.
    batches_of_an_epoch_ = epoch_batches(lengths_, recipe.batch_words, recipe.options.seed, 0).size();
    schedule_ = recipe.schedule;
    if (schedule_.total_steps == 0) schedule_.total_steps = recipe.epochs * batches_of_an_epoch_;
}

TrainingEnd Trainer::run(const TrainingLimits& limits) {
    const TrainingRecipe& recipe = recipe_.training;
    std::uint64_t total = recipe.epochs * batches_of_an_epoch_;
    if (recipe.steps > 0) total = std::min(total, recipe.steps);
    display_ = std::make_unique<Progress>("training", total, training_->state().steps);

    std::optional<TrainingEnd> end;
    while (!(end = train_until_validation(limits))) {
        validate(true);
        save_last();
        if (recipe.patience > 0 && progress_.best.since_best >= recipe.patience) {
            end = TrainingEnd::patience;
            break;
        }
    }
    // An end in between must not change what a resumed run does: the checkpoint is written before the model is judged,
    // but for one that may have diverged.
    const bool suspicious = bad_steps_ > 0;
    if (!suspicious) save_last();
    if (*end != TrainingEnd::interrupted && last_validated_step_ != training_->state().steps) validate(false);
    if (suspicious) save_last();
    display_.reset();
    return *end;
}

bool Trainer::validation_is_due() const {
    const std::uint64_t every = recipe_.training.validate_every;
    const std::uint64_t step = training_->state().steps;
    if (step == last_validated_step_) return false;
    return every > 0 ? step % every == 0 : progress_.batch == batches_.size();
}

/// Returns why the run is over, or nothing if it is time to validate.
std::optional<TrainingEnd> Trainer::train_until_validation(const TrainingLimits& limits) {
    const TrainingRecipe& recipe = recipe_.training;
    for (;;) {
        if (progress_.batch == batches_.size()) {
            ++progress_.epoch;
            progress_.batch = 0;
            if (progress_.epoch < recipe.epochs) begin_epoch();
        }
        if (progress_.epoch >= recipe.epochs) return TrainingEnd::epochs;
        if (recipe.steps > 0 && training_->state().steps >= recipe.steps) return TrainingEnd::steps;
        if (limits.interrupted != nullptr && limits.interrupted->load()) return TrainingEnd::interrupted;
        if (limits.minutes > 0 && seconds() >= 60 * limits.minutes) return TrainingEnd::minutes;
        one_step(batches_[progress_.batch++]);
        if (validation_is_due()) return {};
    }
}

/// The pair as this epoch sees it. Changes that would make it longer than the recipe allows are dropped.
EncodedPair Trainer::augmented(std::size_t pair) const {
    const TrainingRecipe& recipe = recipe_.training;
    const RandomStream renaming(recipe.options.seed, RandomUse::renaming, progress_.epoch);
    const RandomStream noise(recipe.options.seed, RandomUse::source_noise, progress_.epoch);
    const std::uint64_t position = pair * kDrawsOfAPair;
    const bool rename = renaming.uniform(position) < static_cast<double>(recipe.renaming);
    const bool disturb = noise.uniform(position) < static_cast<double>(recipe.source_noise);
    if (!rename && !disturb) return data_.training[pair];

    std::string source = data_.training_texts.sources[pair];
    std::string target = data_.training_texts.targets[pair];
    bool changed = rename && renaming_->apply(source, target, renaming, position + 1);
    if (disturb) {
        source = disturb_source(source, noise, position + 1);
        changed = true;
    }
    if (!changed) return data_.training[pair];
    EncodedPair result = encode(source, target, *model_.source_tokenizer, *model_.target_tokenizer);
    return is_longer(result, recipe.longest) ? data_.training[pair] : result;
}

Batch Trainer::assemble(const std::vector<std::size_t>& pairs) const {
    Batch batch;
    for (const std::size_t pair : pairs) {
        EncodedPair encoded = augmented(pair);
        batch.sources.push_back(std::move(encoded.source));
        batch.targets.push_back(std::move(encoded.target));
    }
    return batch;
}

void Trainer::one_step(const std::vector<std::size_t>& pairs) {
    const float rate = learning_rate(schedule_, training_->state().steps, progress_.best);
    const StepResult result = training_->step(executor_, assemble(pairs), rate);
    const bool bad = !std::isfinite(result.gradient_norm) || is_beyond_reason(result.batch.loss);
    bad_steps_ = bad ? bad_steps_ + 1 : 0;
    if (bad_steps_ == kMostBadSteps) {
        diverged(fmt::format("{} batches in a row had a loss or a gradient beyond all reason", kMostBadSteps));
    }
    const std::uint64_t step = training_->state().steps;
    const float decay = recipe_.training.average_decay;
    if (decay > 0 && std::isfinite(result.gradient_norm)) {
        update_average(executor_, model_.configuration, decay, step, *training_->parameters(), average_);
    }
    log_.add(result);
    display_->update(step, fmt::format("epoch {}  {}", progress_.epoch + 1, log_.summary()));
    log_.write_training(kStepsOfALogLine, progress_.epoch, step, rate, seconds());
}

bool Trainer::is_beyond_reason(double loss) const {
    const auto words = static_cast<double>(model_.configuration.tgt_vocab);
    return !(loss < std::max(kReasonableLoss, 3 * std::log(words)));  // ln words: that of a guess
}

void Trainer::diverged(const std::string& sign) const {
    std::string advice = "Use a lower --learning-rate or a smaller --clip-norm";
    if (saved_step_ > 0 && saved_step_ < training_->state().steps) {
        advice += ", and --resume: '" + files_.last + "' is from before";
    }
    if (progress_.best.any) advice += "; '" + files_.best + "' is the best model so far";
    throw Error("training diverged: " + sign + ". " + advice);
}

Trainer::Judgement Trainer::judge(const std::shared_ptr<const Parameters>& parameters) const {
    const Seq2Seq model(model_.configuration, parameters);  // in f32, whatever the precision of training
    Judgement result;
    try {
        result.scores = score_targets(executor_, model, data_.validation);
        if (is_beyond_reason(result.scores.loss)) diverged("the validation loss is beyond all reason");
        const std::size_t translated = std::min(recipe_.training.validation_sentences, data_.validation.size());
        if (translated == 0) return result;
        const auto count = static_cast<std::ptrdiff_t>(translated);
        const std::vector<EncodedPair> pairs(data_.validation.begin(), data_.validation.begin() + count);
        result.bleu = bleu_of(translate_sources(executor_, model, *model_.target_tokenizer, pairs, SearchOptions{}),
                              data_.references);
    } catch (const UnusableWeights& error) {
        diverged(error.what());
    }
    return result;
}

/// @param remember whether the result affects the rest of the run: the schedule and the patience
void Trainer::validate(bool remember) {
    const TrainingRecipe& recipe = recipe_.training;
    const std::uint64_t step = training_->state().steps;
    log_.write_training(1, progress_.epoch, step, learning_rate(schedule_, step, progress_.best), seconds());
    last_validated_step_ = step;

    const std::shared_ptr<const Parameters> parameters =
        recipe.average_decay > 0 ? share(average_) : training_->parameters();
    const auto [scores, bleu] = judge(parameters);
    nlohmann::json entry{{"event", "validation"},
                         {"epoch", progress_.epoch},
                         {"step", step},
                         {"loss", scores.loss},
                         {"perplexity", std::exp(scores.loss)},
                         {"token_accuracy", scores.accuracy}};
    std::string line = fmt::format("step {}  epoch {}  valid loss {:.4f}  perplexity {:.2f}  accuracy {:.1f} %", step,
                                   progress_.epoch + 1, scores.loss, std::exp(scores.loss), 100 * scores.accuracy);
    if (bleu) {
        entry["bleu"] = *bleu;
        line += fmt::format("  BLEU {:.1f}", *bleu);
    }
    PlateauState after = progress_.best;
    const bool is_best = observe(schedule_, recipe.criterion == Criterion::bleu ? -*bleu : scores.loss, after);
    if (remember) progress_.best = after;
    if (is_best) save_best(*parameters);
    entry["best"] = is_best;
    entry["seconds"] = seconds();
    log_.write(entry);
    display_->say(line + (is_best ? "  best" : "") + "  " + clock_text(seconds()));
    log_.restart_clock();
}

void Trainer::save_best(const Parameters& parameters) {
    write_file(files_.best, write_model(model_, parameters, Storage::f32));
}

void Trainer::save_last() {
    if (!is_finite(*training_->parameters(), model_.configuration)) diverged("the weights are not finite numbers");
    Checkpoint checkpoint;
    checkpoint.model = model_;
    checkpoint.parameters = training_->parameters();
    checkpoint.adam = training_->state();
    checkpoint.averages = recipe_.training.average_decay > 0;
    checkpoint.average = average_;
    checkpoint.progress = progress_;
    checkpoint.recipe = to_json(recipe_);
    write_file(files_.last, write_checkpoint(checkpoint));
    saved_step_ = checkpoint.adam.steps;
}

double Trainer::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

}  // namespace softalign
