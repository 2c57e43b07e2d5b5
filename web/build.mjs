#!/usr/bin/env node
// Builds the package, the element and the page into one folder of static files whose addresses are all relative:
//   node web/build.mjs [--models FOLDER] [--out FOLDER]
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    models: { type: 'string', default: join(root, 'models') },
    out: { type: 'string', default: join(root, 'web/dist') },
  },
});
const models = resolve(values.models);
const out = resolve(values.out);
const glue = join(root, 'build/wasm/web/bridge/softalign-core.js');
const wasm = join(root, 'build/wasm/web/bridge/softalign-core.wasm');
const tool = (name) => join(root, 'node_modules/.bin', name);

function run(command, ...parameters) {
  execFileSync(command, parameters, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

function buildCore() {
  run('cmake', '--preset', 'wasm');
  run('cmake', '--build', '--preset', 'wasm', '--target', 'softalign-core');
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  alias: { 'softalign-core': glue, 'softalign-core.wasm': wasm },
  logLevel: 'warning',
};

/** Last of all: it keeps the page's files under a name that changes with any of them. */
async function buildServiceWorker() {
  const files = (await readdir(out)).filter((file) => /\.(js|css|wasm|svg|html)$/.test(file) && file !== 'index.html');
  files.push('models/manifest.json');
  const digest = createHash('sha256');
  for (const file of ['index.html', ...files]) digest.update(await readFile(join(out, file)));
  await esbuild.build({
    ...shared,
    format: 'iife',
    entryPoints: ['web/page/service-worker.ts'],
    outdir: out,
    minify: true,
    define: {
      // '' is the folder, by whose address readers ask for index.html.
      pageFiles: JSON.stringify(['', ...files]),
      pageVersion: JSON.stringify(digest.digest('hex').slice(0, 16)),
    },
    target: 'es2022',
  });
}

async function buildScripts() {
  await esbuild.build({
    ...shared,
    entryPoints: {
      softalign: 'web/src/index.ts',
      'soft-align': 'web/src/element/soft-align.ts',
      worker: 'web/src/engine/worker.ts',
      page: 'web/page/page.ts',
      'page-style': 'web/page/page.css',
      embed: 'web/page/embed.ts',
      'embed-policy': 'web/page/embed-policy.ts',
      'embed-style': 'web/page/embed.css',
    },
    outdir: out,
    splitting: true,
    // Beside the entry points, so that an address relative to a module is the same in every chunk.
    chunkNames: 'chunk-[hash]',
    minify: true,
    sourcemap: true,
    target: 'es2022',
  });
  await cp(wasm, join(out, 'softalign-core.wasm'));
}

/** One file with all that it needs: notebooks and MyST copy it away from what is beside it. */
async function buildNotebookModule() {
  await esbuild.build({
    ...shared,
    entryPoints: ['web/notebook/softalign-anywidget.ts'],
    loader: { '.wasm': 'binary' },
    // What runs from memory has no address that others could be relative to.
    define: { 'import.meta.url': 'document.baseURI' },
    outdir: join(out, 'notebook'),
    minify: true,
    target: 'es2022',
  });
}

function buildTypes() {
  run(tool('tsc'), '--project', 'web/tsconfig.types.json', '--outDir', join(out, 'types'));
  run(tool('cem'), 'analyze', '--config', 'web/custom-elements-manifest.config.mjs', '--outdir', relative(root, out));
}

/** The models that the manifest names. @returns the manifest */
async function copyModels() {
  const manifest = JSON.parse(await readFile(join(models, 'manifest.json'), 'utf8'));
  await mkdir(join(out, 'models'), { recursive: true });
  await cp(join(models, 'manifest.json'), join(out, 'models/manifest.json'));
  for (const { file } of manifest.models) await cp(join(models, file), join(out, 'models', file));
  const licences = (await readdir(models)).filter((file) => file.startsWith('LICENSE-'));
  for (const file of licences) await cp(join(models, file), join(out, 'models', file));
  return manifest;
}

/** A page, with its first sentence translated by the model itself, so that it need not wait for the model. */
async function buildPage(name) {
  const page = await readFile(join(root, 'web/page', name), 'utf8');
  const attribute = (name) => new RegExp(`<soft-align[^>]*\\s${name}="([^"]*)"`).exec(page)?.[1];
  const outfile = join(root, 'build/wasm/example.mjs');
  await esbuild.build({ ...shared, entryPoints: ['web/page/example.ts'], outfile, platform: 'node' });
  const { translateOnce, translationToJson } = await import(outfile);
  const bytes = async (path) => new Uint8Array(await readFile(path)).buffer;
  const model = await bytes(join(out, attribute('src')));
  const translation = await translateOnce(await bytes(wasm), model, attribute('text'), Number(attribute('beam')));
  const example = translationToJson(translation).replaceAll('<', '\\u003c');
  const filled = page
    .replace('{{example}}', () => example)
    .replace('{{translation}}', () => escapeHtml(translation.text));
  await writeFile(join(out, name), filled);
}

function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

buildCore();
await rm(out, { recursive: true, force: true });
await buildScripts();
await buildNotebookModule();
buildTypes();
await copyModels();
await buildPage('index.html');
await buildPage('embed.html');
await cp(join(root, 'web/page/icon.svg'), join(out, 'icon.svg'));
await buildServiceWorker();
console.log(`built ${out}`);
