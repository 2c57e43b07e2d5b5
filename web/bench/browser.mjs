// Measurements of a page that nothing was cached for.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '../chromium.mjs';
import { files, listen } from '../serve.mjs';

/**
 * Serves folders on this machine and opens a page of them. @param folders what is served, by prefix of the path;
 * the longest that fits a path answers   @param path of the page   @param question what is asked of the page: a function
 * that runs in it   @returns the answer, and the files that the page asked for, each once
 */
export async function visit(folders, path, question) {
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
  const asked = new Set();
  const server = await listen((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const prefix = prefixes.find((candidate) => pathname.startsWith(candidate)) ?? '/';
    asked.add(join(folders[prefix], pathname.slice(prefix.length)));
    request.url = `/${request.url.slice(prefix.length)}`;
    // Isolated, so that a page that wants shared memory may have it.
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    files(folders[prefix])(request, response);
  }, 0);
  const { browser, close } = await launchChromium({ protocolTimeout: 600_000 });
  try {
    const [page] = await browser.pages();
    const complaints = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await new Promise((settled) => setTimeout(settled, 1500)); // the browser's own start is not the page's
    await page.goto(`http://127.0.0.1:${server.address().port}${path}`, { waitUntil: 'domcontentloaded' });
    const answer = await page.evaluate(question);
    if (answer === undefined) throw new Error(`${path} has no answer: ${complaints.join('; ')}`);
    return { answer, asked: await existing(asked) };
  } finally {
    await close();
    server.closeAllConnections();
    server.close();
  }
}

async function existing(paths) {
  const found = [];
  for (const path of paths) if ((await stat(path).catch(() => undefined))?.isFile()) found.push(path);
  return found;
}
