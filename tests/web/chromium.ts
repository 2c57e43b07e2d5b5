// Chromium, as every file of browser tests has one of its own.
import { after } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { launchChromium } from '../../web/chromium.mjs';

let launched: ReturnType<typeof launchChromium> | undefined;

/** One browser for a file of tests. */
export async function chromium(): Promise<Browser> {
  launched ??= launchChromium();
  return (await launched).browser;
}

after(async () => {
  await (await launched)?.close();
});
