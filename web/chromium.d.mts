import type { Browser, LaunchOptions } from 'puppeteer-core';

export function launchChromium(options?: LaunchOptions): Promise<{ browser: Browser; close(): Promise<void> }>;
