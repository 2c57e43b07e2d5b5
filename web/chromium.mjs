// A headless Chromium with a profile of its own, in which nothing is cached; for tests and measurements.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @param options further ones of puppeteer's launch   @returns the browser, and what closes it and removes its profile */
export async function launchChromium(options = {}) {
  const userDataDir = await mkdtemp(join(tmpdir(), 'softalign-chromium-'));
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await puppeteer.launch({ executablePath, userDataDir, args, ...options });
  const close = async () => {
    await browser.close();
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  return { browser, close };
}
