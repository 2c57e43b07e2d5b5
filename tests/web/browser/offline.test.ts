// What is kept in the browser: never in the way of anything newer, and there when the server is not.
import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { Page } from 'puppeteer-core';
import { sendLarge } from '../large-answer.ts';
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
  const { web, page } = await keptPage(t, subFolder);
  await web.stop();
  await page.reload();
  await settled(page);
});

/** The page, kept whole. */
async function keptPage(t: TestContext, path = '/') {
  const web = await site(t);
  const page = await open(t, web, { path });
  await settled(page);
  await kept(page, /needs no connection/);
  return { web, page };
}

for (const [what, answer] of Object.entries<RequestListener>({
  'accepts and never answers': () => undefined,
  'begins an answer and never ends it': (_, response) => response.writeHead(200, { 'content-length': 1000 }).write('h'),
  'is out of order': (_, response) => response.writeHead(503).end('<!doctype html><title>Sorry</title>'),
})) {
  test(`the kept page is there where the server ${what}`, async (t) => {
    const { web, page } = await keptPage(t);
    web.answerAll(answer);
    await page.reload();
    await settled(page);
  });
}

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

/** Refuses to tell anything without the file. */
function headless(bytes: Uint8Array, version: { etag?: string }, bodies: { sent: number }) {
  const whole = versioned(bytes, version, bodies);
  return (request: IncomingMessage, response: ServerResponse) =>
    request.method === 'HEAD' ? response.writeHead(405).end() : whole(request, response);
}

test('where the server answers no HEAD, its version is learned from the file’s own answer, which is not read', async (t) => {
  const { bodies, web, page } = await keptLesson(t);
  let sent: Promise<boolean> | undefined;
  web.answers[model] = (request, response) => {
    if (request.method === 'HEAD') return response.writeHead(405).end();
    sent = sendLarge(response, { etag: '"1"' });
  };
  await page.reload();
  await settled(page);
  assert.equal(await style(page), 'bahdanau');
  assert.equal(await sent, false);
  web.answers[model] = headless(await goldenModel('vanilla'), { etag: '"2"' }, bodies);
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
  'answers with a web page': (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>'),
  'asks for a password': (_: IncomingMessage, response: ServerResponse) => response.writeHead(401).end('who are you?'),
  'breaks off a newer version': ({ method }: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { etag: '"2"', 'content-length': 1000 });
    if (method === 'HEAD') return response.end();
    return response.write('half', () => response.destroy());
  },
  'stops in the middle of a newer version': ({ method }: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { etag: '"2"', 'content-length': 1000 });
    if (method === 'HEAD') return response.end();
    return response.write('half');
  },
})) {
  test(`the kept model is used where the server ${what}`, async (t) => {
    const { web, page } = await keptLesson(t);
    web.answers[model] = answer;
    await page.reload();
    await settled(page);
  });
}

test('a model that the server has no more is missing, kept or not', async (t) => {
  const { web, page } = await keptLesson(t);
  web.answers[model] = (_, response) => response.writeHead(404).end();
  await page.reload();
  assert.match(await errorOf(page), /answered 404/);
});

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

const leftOf = (page: Page) =>
  page.evaluate(async () => [
    ...(await caches.keys()),
    ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
  ]);

test('what is kept can be removed, all of it', async (t) => {
  const { page } = await keptPage(t);
  await page.reload();
  await settled(page);
  await kept(page, /needs no connection/);
  await page.click('#kept button');
  await kept(page, /^\s*Removed/);
  assert.deepEqual(await leftOf(page), []);
  // What is fetched and used afterwards is not kept again.
  await page.evaluate(() => fetch('page.js'));
  await page.select('[name=model]', 'dates.safetensors');
  await page.waitForFunction(() => document.querySelector('soft-align')?.information?.card.task === 'dates');
  assert.deepEqual(await leftOf(page), []);
});

test('a click on “Remove it” while the page is being kept wins', async (t) => {
  // A file that does not arrive.
  const web = await site(t, { '/embed.html': () => undefined });
  const page = await open(t, web);
  await kept(page, /model is kept/);
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.installing);
  await page.click('#kept button');
  await kept(page, /^\s*Removed/);
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistrations()).length === 0);
  assert.deepEqual(await leftOf(page), []);
  await kept(page, /^\s*Removed/);
});

test('removing what is kept leaves alone what other pages of the host keep', async (t) => {
  const web = await site(t, {
    '/neighbour.js': (_, response) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(''),
  });
  const page = await open(t, web, { path: subFolder });
  await settled(page);
  await kept(page, /needs no connection/);
  const others = await page.evaluate(async () => {
    await navigator.serviceWorker.register('/neighbour.js', { scope: '/' });
    for (const [store, path] of [
      ['softalign-models', '/models/theirs'],
      ['softalign-models', '/a/sub-folder/another/models/theirs'],
      ['softalign-page http://elsewhere/ 1', '/theirs'],
      ['theirs', '/theirs'],
    ] as const)
      await (await caches.open(store)).put(path, new Response('theirs'));
    return Promise.all(
      (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    ).then((all) => all.flat().filter((url) => url.endsWith('theirs')));
  });
  assert.equal(others.length, 4);
  await page.click('#kept button');
  await kept(page, /^\s*Removed/);
  const left = await page.evaluate(async () => {
    const entries = await Promise.all(
      (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    );
    return {
      entries: entries.flat(),
      scopes: (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
    };
  });
  assert.deepEqual(left, { entries: others, scopes: [`${web.url}/`] });
});
