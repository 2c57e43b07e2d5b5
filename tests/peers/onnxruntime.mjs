// Greedy decoding with ONNX Runtime, of whichever build.

const bos = 1;

/**
 * @param ort the module   @param encoder, decoder the graphs that export_onnx.py writes: addresses or paths
 * @param sentence of web/bench/decoding.mjs
 * @returns what translates the sentence into ids
 */
export async function greedyDecoder(ort, encoder, decoder, sentence, options) {
  const encode = await ort.InferenceSession.create(encoder, options);
  const step = await ort.InferenceSession.create(decoder, options);
  const source = new ort.Tensor('int64', BigInt64Array.from(sentence.ids, BigInt), [1, sentence.ids.length]);
  return async () => {
    let { states, keys, h, c } = await encode.run({ source });
    const ids = [];
    let id = bos;
    while (ids.length < sentence.steps) {
      const word = new ort.Tensor('int64', BigInt64Array.of(BigInt(id)), [1]);
      const outputs = await step.run({ word, h, c, keys, states });
      h = outputs.h_out;
      c = outputs.c_out;
      id = greatest(outputs.logits.data);
      ids.push(id);
    }
    return ids;
  };
}

function greatest(values) {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}
