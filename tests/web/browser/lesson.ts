// A lesson page that somebody else might write, with a model of PyTorch's reference values.
import type { TestContext } from 'node:test';
import { goldenModel } from '../models.ts';
import { type Site, site } from '../site.ts';

export const model = '/tiny.safetensors';
export const lessonPath = '/lesson.html';
export const strictPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'";

/** @param body of the page   @param golden which of tests/golden the model is */
export async function lessonSite(
  t: TestContext,
  body: string,
  headers: Record<string, string> = {},
  golden?: string,
): Promise<Site> {
  const page = `<!doctype html><html lang="en"><title>A lesson</title><script type="module" src="/soft-align.js"></script>${body}`;
  return site(t, { [model]: await goldenModel(golden), [lessonPath]: page }, headers);
}
