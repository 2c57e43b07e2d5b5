// The model of TensorFlow.js's example date-conversion-attention, with random weights, and its inference: the whole
// model runs again for every letter of the result.

const sourceLength = 12;
const targetLength = 10;
const sourceVocabulary = 35;
const targetVocabulary = 13;
const units = 64;

/** @returns what converts one date into ids */
export function dateConversion(tf) {
  const model = buildModel(tf);
  const source = tf.tensor2d([[11, 30, 5, 17, 25, 3, 4, 14, 0, 0, 0, 0]]);
  return () =>
    tf.tidy(() => {
      const read = new Float32Array(targetLength);
      read[0] = 1;
      const ids = [];
      for (let step = 0; step < targetLength; step++) {
        const probabilities = model.predict([source, tf.tensor2d(read.slice(), [1, targetLength])]);
        const id = probabilities.argMax(2).dataSync()[step];
        ids.push(id);
        if (step + 1 < targetLength) read[step + 1] = id;
      }
      return ids;
    });
}

function buildModel(tf) {
  const { layers } = tf;
  const encoderInput = tf.input({ shape: [sourceLength] });
  const decoderInput = tf.input({ shape: [targetLength] });
  const embed = (inputDim, inputLength, input) =>
    layers.embedding({ inputDim, outputDim: units, inputLength, maskZero: true }).apply(input);
  const lstm = () => layers.lstm({ units, returnSequences: true, recurrentInitializer: 'glorotUniform' });
  const states = lstm().apply(embed(sourceVocabulary, sourceLength, encoderInput));
  const last = new (lastStepLayer(tf))({}).apply(states);
  const decoded = lstm().apply(embed(targetVocabulary, targetLength, decoderInput), { initialState: [last, last] });
  const energies = layers.dot({ axes: [2, 2] }).apply([decoded, states]);
  const weights = layers.activation({ activation: 'softmax' }).apply(energies);
  const context = layers.dot({ axes: [2, 1] }).apply([weights, states]);
  const combined = layers.concatenate().apply([context, decoded]);
  const dense = (width, activation) => layers.timeDistributed({ layer: layers.dense({ units: width, activation }) });
  const outputs = dense(targetVocabulary, 'softmax').apply(dense(units, 'tanh').apply(combined));
  return tf.model({ inputs: [encoderInput, decoderInput], outputs });
}

function lastStepLayer(tf) {
  class LastStep extends tf.layers.Layer {
    static className = 'LastStep';
    supportsMasking = true;
    computeOutputShape([batch, , size]) {
      return [batch, size];
    }
    call(input) {
      const states = Array.isArray(input) ? input[0] : input;
      return states.slice([0, states.shape[1] - 1, 0], [-1, 1, -1]).squeeze([1]);
    }
  }
  tf.serialization.registerClass(LastStep);
  return LastStep;
}
