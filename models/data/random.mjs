/** Random numbers that a seed decides: Mulberry32, a public-domain generator by Tommy Ettinger. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 on, below the limit. */
  below(limit) {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  pick(choices) {
    return choices[this.below(choices.length)];
  }

  /** True once in so many times. */
  once(times) {
    return this.below(times) === 0;
  }

  /** The same elements in another order (Fisher and Yates), a new array. */
  shuffled(elements) {
    const result = [...elements];
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  }
}
