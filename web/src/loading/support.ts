import { exceptions, simd } from 'wasm-feature-detect';
import { UnsupportedError } from '../errors.ts';

/** Rejects with UnsupportedError if the engine cannot run. */
export async function requireSupport(): Promise<void> {
  if (typeof WebAssembly !== 'object') {
    throw new UnsupportedError(
      'This browser does not run WebAssembly (a strict security mode may have turned it off); use a current Firefox, Chrome, Edge or Safari.',
    );
  }
  if (!(await simd()) || !(await exceptions())) {
    throw new UnsupportedError(
      "This browser's WebAssembly is too old (it lacks SIMD or exceptions); update it, or use a current Firefox, Chrome, Edge or Safari.",
    );
  }
}
