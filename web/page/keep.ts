// What this browser keeps for the next visit: the model, and the page itself for visits without a connection.
import type { SoftAlign } from '../src/element/soft-align.ts';
import { forgetKept, isKept } from '../src/loading/kept.ts';
import { modelFolder } from './address.ts';

const texts = {
  model: 'The model is kept in this browser for the next visit.',
  all: 'The page and its model are kept in this browser: the next visit needs no connection.',
  refused:
    'This browser keeps no files for this page (because of its settings, a private window, or an address without https), so the model is fetched again at every visit.',
  removed: 'Removed: the next visit fetches the page and its model again.',
};

/** A host may have other pages beside, above and below this one, whose files must stay. */
const folder = new URL('./', document.baseURI);

/** Keeps what it can, and says so. @param line with a text and a button that removes everything */
export function offerToKeep(line: HTMLElement, stage: SoftAlign): void {
  const text = line.querySelector('span') as HTMLElement;
  const button = line.querySelector('button') as HTMLButtonElement;
  let unwanted = false;
  const tell = (key: keyof typeof texts) => {
    text.textContent = texts[key];
    button.hidden = key === 'refused' || key === 'removed';
    line.hidden = false;
  };
  stage.addEventListener('ready', async () => {
    // A file of the reader's own cannot be fetched from anywhere.
    if (!stage.src || unwanted) return;
    const kept = await isKept(new URL(stage.src, stage.baseURI));
    if (unwanted) return;
    if (!kept) return tell('refused');
    tell('model');
    const whole = await keepPage();
    // Files that arrived after the reader's request go too.
    if (unwanted) return removeAll();
    if (whole) tell('all');
  });
  button.addEventListener('click', async () => {
    unwanted = true;
    await removeAll();
    tell('removed');
  });
}

/** @returns whether the page is kept; waits until that is known */
async function keepPage(): Promise<boolean> {
  try {
    const registration = await navigator.serviceWorker.register('service-worker.js');
    return registration.active !== null || (await installed(registration.installing ?? registration.waiting));
  } catch {
    return false;
  }
}

function installed(worker: ServiceWorker | null): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      if (!worker || worker.state === 'redundant') resolve(false);
      else if (worker.state === 'activated') resolve(true);
    };
    worker?.addEventListener('statechange', look);
    look();
  });
}

async function removeAll(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? [];
  const own = registrations.filter(({ scope }) => scope === folder.href);
  // One that is being installed could not be unregistered before it is.
  for (const { installing } of own) installing?.postMessage('unwanted');
  await Promise.all(own.map((registration) => registration.unregister()));
  const stores = (await caches.keys()).filter((key) => key.startsWith(`softalign-page ${folder.href} `));
  await Promise.all([forgetKept(new URL(modelFolder, folder)), ...stores.map((key) => caches.delete(key))]);
}
