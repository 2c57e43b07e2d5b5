// Shares of a whole, such as one step's attention weights.

/** Turns scores into shares: positive, in the same order, and 1 in all. */
export function softmax(energies: ArrayLike<number>): Float32Array {
  const largest = Math.max(...Array.from(energies));
  const powers = Float32Array.from(energies, (energy) => Math.exp(energy - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** One share set to a value; the others keep their proportions in what is left. */
export function withShare(shares: ArrayLike<number>, index: number, value: number): Float32Array {
  const others = Array.from(shares).reduce((sum, share, i) => (i === index ? sum : sum + share), 0);
  // If the others are all zero, they share equally.
  return Float32Array.from(shares, (share, i) => {
    if (i === index) return value;
    return (1 - value) * (others > 0 ? share / others : 1 / (shares.length - 1));
  });
}

/** Whether they are the same except for rounding. */
export function sameShares(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return a.length === b.length && Array.from(a).every((share, i) => Math.abs(share - (b[i] as number)) < 1e-4);
}
