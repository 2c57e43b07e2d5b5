// Chromium and Firefox, by way of Puppeteer.
import { after } from 'node:test';
import puppeteer, { type Browser, type Frame, type Page } from 'puppeteer-core';
import { chromium } from '../chromium.ts';
import { patience } from '../eventually.ts';
import type { Key, Tab } from './tab.ts';

let launched: Promise<Browser> | undefined;

async function firefox(): Promise<Browser> {
  const executablePath = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
  launched ??= puppeteer.launch({ browser: 'firefox', executablePath });
  return launched;
}

after(async () => (await launched)?.close());

export async function openPuppeteerTab(name: 'chromium' | 'firefox'): Promise<Tab> {
  const browser = await (name === 'chromium' ? chromium() : firefox());
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  // The tests' transpiler names functions with this helper, which functions that run in the page would miss.
  await page.evaluateOnNewDocument('globalThis.__name = (named) => named;');
  return new PuppeteerTab(page);
}

class PuppeteerTab implements Tab {
  private place: Page | Frame;

  constructor(private readonly page: Page) {
    this.place = page;
  }

  async open(url: string): Promise<void> {
    this.place = this.page;
    await this.page.goto(url);
  }

  run<Values extends unknown[], Result>(script: (...values: Values) => Result, ...values: Values): Promise<Result> {
    return this.place.evaluate(script as (...values: unknown[]) => unknown, ...values) as Promise<Result>;
  }

  clickThrice(x: number, y: number): Promise<void> {
    return this.page.mouse.click(x, y, { count: 3 });
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  press(key: Key): Promise<void> {
    return this.page.keyboard.press(key);
  }

  async enterFrame(): Promise<void> {
    this.place = await this.page.waitForFrame((frame) => frame !== this.page.mainFrame());
  }

  async resize(width: number, height: number): Promise<void> {
    try {
      await this.page.setViewport({ width, height });
    } catch (error) {
      // Debian's Firefox 140 takes the size, and knows no orientation, which Puppeteer sets with it.
      if (!/setScreenOrientationOverride/.test(String(error))) throw error;
    }
  }

  close(): Promise<void> {
    return this.page.browserContext().close();
  }
}
