// WebKitGTK, by way of WebKitWebDriver: https://www.w3.org/TR/webdriver2/
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Key, Tab } from './tab.ts';

/** Code points that stand for keys without a character: WebDriver, 17.4.2. */
const keys: Record<Key, string> = {
  Tab: '\uE004',
  End: '\uE010',
  Escape: '\uE00C',
  ArrowRight: '\uE014',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
};

let driver: ChildProcess | undefined;
let session: Promise<WebKitTab> | undefined;

after(async () => {
  await (await session)?.end();
  driver?.kill();
});

/** One window for a file of tests: every site of theirs is an origin of its own. */
export function openWebKitTab(): Promise<Tab> {
  session ??= begin();
  return session;
}

async function begin(): Promise<WebKitTab> {
  const port = await freePort();
  // Where there are no user namespaces, as in a container, the browser's own sandbox would refuse to start.
  const env = { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
  const command = process.env.WEBKIT_DRIVER ?? 'WebKitWebDriver';
  const started = spawn(command, [`--port=${port}`], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  driver = started;
  const failed = new Promise<never>((_, reject) => started.on('error', reject));
  const url = `http://127.0.0.1:${port}`;
  while (!(await Promise.race([failed, ask('GET', `${url}/status`).catch(() => undefined)]))) await pause(50);
  const { sessionId } = await ask<{ sessionId: string }>('POST', `${url}/session`, { capabilities: {} });
  return new WebKitTab(`${url}/session/${sessionId}`);
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

async function ask<Result>(method: string, url: string, body?: object): Promise<Result> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

class WebKitTab implements Tab {
  constructor(private readonly session: string) {}

  async open(url: string): Promise<void> {
    await this.post('frame', { id: null });
    await this.post('url', { url });
  }

  run<Values extends unknown[], Result>(script: (...values: Values) => Result, ...values: Values): Promise<Result> {
    // The tests' transpiler names functions with this helper.
    const code = `const __name = (named) => named; return (${script})(...arguments);`;
    return this.post<Result>('execute/sync', { script: code, args: values });
  }

  async clickThrice(x: number, y: number): Promise<void> {
    const press = [
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) };
    await this.post('actions', {
      actions: [{ type: 'pointer', id: 'mouse', actions: [move, ...press, ...press, ...press] }],
    });
  }

  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.post('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  press(key: Key): Promise<void> {
    return this.type(keys[key]);
  }

  async enterFrame(): Promise<void> {
    await this.post('frame', { id: 0 });
  }

  /** Of the page; the window has a frame around it. */
  async resize(width: number, height: number): Promise<void> {
    const [inner, outer] = await this.run(() => [
      [innerWidth, innerHeight],
      [outerWidth, outerHeight],
    ]);
    const around = (side: number) => (outer?.[side] ?? 0) - (inner?.[side] ?? 0);
    await this.post('window/rect', { width: width + around(0), height: height + around(1) });
  }

  /** The window stays for the next test. */
  async close(): Promise<void> {
    await this.open('about:blank');
  }

  async end(): Promise<void> {
    await ask('DELETE', this.session);
  }

  private post<Result>(command: string, body: object): Promise<Result> {
    return ask<Result>('POST', `${this.session}/${command}`, body);
  }
}
