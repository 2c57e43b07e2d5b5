// Chromium, as every file of browser tests has one of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import puppeteer, { type Browser } from 'puppeteer-core';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let launched: Promise<{ browser: Browser; profile: string }> | undefined;

/** One browser for a file of tests. */
export async function chromium(): Promise<Browser> {
  launched ??= (async () => {
    const profile = await mkdtemp(join(tmpdir(), 'softalign-chromium-'));
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
    return { browser: await puppeteer.launch({ executablePath, userDataDir: profile, args: flags }), profile };
  })();
  return (await launched).browser;
}

after(async () => {
  const started = await launched;
  await started?.browser.close();
  if (started) await rm(started.profile, { recursive: true, force: true, maxRetries: 5 });
});
