// What this browser keeps for the next visit: the model, and the page itself for visits without a connection.
import type { SoftAlign } from '../src/element/soft-align.ts';
import { forgetKept, isKept } from '../src/loading/kept.ts';

const texts = {
  model: 'The model is kept in this browser for the next visit.',
  all: 'The page and its model are kept in this browser: the next visit needs no connection.',
  refused:
    'This browser keeps no files for this page (its settings, a private window, or an address without https), so the model is fetched anew at every visit.',
  removed: 'Removed: the next visit fetches the page and its model anew.',
};

/** Keeps what can be kept, and says so. @param line with a text and a button that removes it all */
export function offerToKeep(line: HTMLElement, stage: SoftAlign): void {
  const text = line.querySelector('span') as HTMLElement;
  const button = line.querySelector('button') as HTMLButtonElement;
  const tell = (key: keyof typeof texts) => {
    text.textContent = texts[key];
    button.hidden = key === 'refused' || key === 'removed';
    line.hidden = false;
  };
  stage.addEventListener('ready', async () => {
    // A file of the reader's own is nowhere to be fetched from.
    if (!stage.src) return;
    if (!(await isKept(new URL(stage.src, stage.baseURI)))) return tell('refused');
    tell('model');
    if (await keepPage()) tell('all');
  });
  button.addEventListener('click', async () => {
    await removeAll();
    tell('removed');
  });
}

/** @returns whether the page is kept; waits until it is, for good where a file of it does not arrive */
async function keepPage(): Promise<boolean> {
  try {
    await navigator.serviceWorker.register('service-worker.js');
    await navigator.serviceWorker.ready;
    return true;
  } catch {
    return false;
  }
}

async function removeAll(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.unregister();
  const own = (await caches.keys()).filter((key) => key.startsWith(`softalign-page ${registration?.scope} `));
  await Promise.all([forgetKept(), ...own.map((key) => caches.delete(key))]);
}
