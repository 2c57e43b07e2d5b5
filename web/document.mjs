#!/usr/bin/env node
// Writes the element's tables in web/README.md from its custom-elements manifest: node web/document.mjs
// With --check it changes nothing, and fails when the tables are not up to date.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = fileURLToPath(new URL('./README.md', import.meta.url));
const folder = 'build/manifest';
const marks = ['<!-- tables: written by web/document.mjs -->', '<!-- end of tables -->'];

execFileSync(
  'node_modules/.bin/cem',
  ['analyze', '--config', 'web/custom-elements-manifest.config.mjs', '--outdir', folder, '--quiet'],
  { cwd: root },
);
const manifest = JSON.parse(await readFile(`${root}/${folder}/custom-elements.json`, 'utf8'));
const element = manifest.modules
  .flatMap((module) => module.declarations)
  .find(({ tagName }) => tagName === 'soft-align');

const cell = (text = '') => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const code = (text) => (text ? `\`${cell(text)}\`` : '');

function table(title, head, rows, remark = []) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [`### ${title}`, '', ...remark, line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

const isPublic = ({ privacy, static: isStatic }) => privacy !== 'private' && privacy !== 'protected' && !isStatic;
const own = element.members.filter((member) => isPublic(member) && member.description);
const signature = ({ name, parameters = [] }) =>
  `${name}(${parameters.map((parameter) => `${parameter.name}: ${parameter.type?.text}`).join(', ')})`;

const tables = [
  table(
    'Attributes',
    ['attribute', 'type', 'default', 'goes to', 'meaning'],
    element.attributes.map((a) => [
      code(a.name),
      code(a.type.text),
      code(a.default),
      a.places.map(code).join(', '),
      cell(a.description),
    ]),
    [
      'A value goes to the `address` of the page and of [the frame](#the-frame), or of the `frame` alone; into the code to `embed`;',
      'to a trait of the [`notebook`](#notebooks-and-myst); to a `follower`.',
      '',
    ],
  ),
  table(
    'Properties without an attribute',
    ['property', 'type', 'meaning'],
    own
      .filter((m) => m.kind === 'field' && !m.attribute)
      .map((m) => [code(m.name), code(m.type?.text), cell(m.description)]),
  ),
  table(
    'Methods',
    ['method', 'meaning'],
    own.filter((m) => m.kind === 'method').map((m) => [code(signature(m)), cell(m.description)]),
  ),
  table(
    'Events',
    ['event', 'class', 'meaning'],
    element.events
      .filter((e) => e.name && e.description)
      .map((e) => [code(e.name), code(e.type?.text), cell(e.description)]),
  ),
  table(
    'Slots',
    ['slot', 'meaning'],
    element.slots.map((s) => [s.name ? code(s.name) : '(default)', cell(s.description)]),
  ),
  table(
    'CSS parts',
    ['part', 'what it is'],
    element.cssParts.map((p) => [code(p.name), cell(p.description)]),
  ),
  table(
    'CSS custom properties',
    ['property', 'default', 'meaning'],
    element.cssProperties.map((p) => [code(p.name), code(p.default), cell(p.description)]),
  ),
].join('\n');

const text = await readFile(readme, 'utf8');
const [before, rest] = text.split(marks[0]);
const after = rest.split(marks[1])[1];
const written = `${before}${marks[0]}\n\n${tables}\n${marks[1]}${after}`;
if (process.argv.includes('--check')) {
  if (written !== text) {
    console.error('The tables of web/README.md are out of date: run node web/document.mjs.');
    process.exit(1);
  }
} else await writeFile(readme, written);
