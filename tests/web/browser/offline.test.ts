// What is kept in the browser: never in the way of anything newer, and there when the server is not.
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { goldenModel } from '../models.ts';
import { errorOf, open, settled, site, subFolder } from './harness.ts';
import { lessonPath, lessonSite, model } from './lesson.ts';

/** A server's file. @param version the headers that tell it   @param bodies counts how often the file itself was sent */
function versioned(bytes: Uint8Array, version: { etag?: string }, bodies: { sent: number }) {
  return ({ method }: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, version);
    if (method === 'HEAD') return response.end();
    bodies.sent++;
    return response.end(bytes);
  };
}

const kept = (page: Page, text: RegExp) =>
  page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector('#kept')?.textContent ?? ''),
    {},
    text.source,
  );

/** A lesson whose model was translated with and is kept. @param version of the model */
async function keptLesson(t: TestContext, version: { etag?: string } = { etag: '"1"' }) {
  const bodies = { sent: 0 };
  const web = await lessonSite(t, `<soft-align src="${model}" text="the cat"></soft-align>`);
  web.answers[model] = versioned(await goldenModel(), version, bodies);
  const page = await open(t, web, { path: lessonPath });
  await settled(page);
  await page.waitForFunction(async (url) => (await caches.match(url)) !== undefined, {}, model);
  return { bodies, web, page };
}

const style = (page: Page) => page.$eval('soft-align', ({ information }) => information?.configuration.style);

test('the second visit needs no server, in a sub-folder too', async (t) => {
  const web = await site(t);
  const page = await open(t, web, { path: subFolder });
  await settled(page);
  await kept(page, /needs no connection/);
  await web.stop();
  await page.reload();
  await settled(page);
});

test('a model is sent once for as long as the server has the same version', async (t) => {
  const { bodies, page } = await keptLesson(t);
  await page.reload();
  await settled(page);
  assert.equal(bodies.sent, 1);
});

test('a new version of a model is never hidden by the kept one', async (t) => {
  const { bodies, web, page } = await keptLesson(t);
  assert.equal(await style(page), 'bahdanau');
  web.answers[model] = versioned(await goldenModel('vanilla'), { etag: '"2"' }, bodies);
  await page.reload();
  await settled(page);
  assert.equal(await style(page), 'none');
});

test('a server that tells no versions is asked for the file itself', async (t) => {
  const { bodies, page } = await keptLesson(t, {});
  await page.reload();
  await settled(page);
  assert.equal(bodies.sent, 2);
});

for (const [what, answer] of Object.entries({
  'is out of order': (_: IncomingMessage, response: ServerResponse) => response.writeHead(503).end(),
  'does not answer': () => undefined,
})) {
  test(`the kept model is used where the server ${what}`, async (t) => {
    const { web, page } = await keptLesson(t);
    web.answers[model] = answer;
    await page.reload();
    await settled(page);
  });
}

test('a kept model that the browser cannot read any more is fetched anew', async (t) => {
  const { bodies, page } = await keptLesson(t);
  await page.evaluateOnNewDocument(`
    const match = CacheStorage.prototype.match;
    CacheStorage.prototype.match = async function (...request) {
      const kept = await match.apply(this, request);
      if (kept) kept.arrayBuffer = () => Promise.reject(new TypeError('Failed to fetch'));
      return kept;
    };`);
  await page.reload();
  await settled(page);
  assert.equal(bodies.sent, 2);
});

test('a kept model that is damaged is told, and fetched anew by trying again', async (t) => {
  const { bodies, page } = await keptLesson(t);
  await page.evaluate(async (url) => {
    const kept = await caches.match(url);
    if (!kept) throw new Error('nothing is kept');
    const [store] = await caches.keys();
    await (await caches.open(store as string)).put(url, new Response('no model', { headers: kept.headers }));
  }, model);
  await page.reload();
  await errorOf(page);
  const retry = await page.$('soft-align >>> [role=alert] button');
  await retry?.click();
  await settled(page);
  assert.equal(bodies.sent, 2);
});

test('where storage is refused the page says so and works', async (t) => {
  const refuse = `Object.defineProperty(globalThis, 'caches', { value: { open: () => Promise.reject(new DOMException('no', 'SecurityError')) } });`;
  const page = await open(t, await site(t), { before: refuse });
  await settled(page);
  await kept(page, /keeps no files/);
});

test('where there is no room for the model the page says so and works', async (t) => {
  const full = `Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));`;
  const page = await open(t, await site(t), { before: full });
  await settled(page);
  await kept(page, /keeps no files/);
});

test('what is kept can be removed, all of it', async (t) => {
  const page = await open(t, await site(t));
  await kept(page, /needs no connection/);
  await page.click('#kept button');
  await kept(page, /^\s*Removed/);
  const left = await page.evaluate(async () => [
    ...(await caches.keys()),
    ...(await navigator.serviceWorker.getRegistrations()),
  ]);
  assert.deepEqual(left, []);
});
