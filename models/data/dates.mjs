#!/usr/bin/env node
// Dates as people write them in English, and as ISO 8601 has them (2021-05-05), generated:
//   node models/data/dates.mjs FOLDER      writes FOLDER/train.tsv, valid.tsv, test.tsv
//
// No day of one part is in another. What could be read in two ways follows one convention: with slashes or hyphens the month
// comes before the day (03/04/2011 is in March) unless it cannot be a month (25/12/2011), with full stops the day does; a
// year of two digits is from 1950 to 2049. Years go from 1000 to 2199.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from './random.mjs';

const sizes = { train: 120000, valid: 2000, test: 10000 };
const months = 'January February March April May June July August September October November December'.split(' ');
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const roman = 'I II III IV V VI VII VIII IX X XI XII'.split(' ');
const ones =
  ' one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const irregular = { one: 'first', two: 'second', three: 'third', five: 'fifth', eight: 'eighth', nine: 'ninth', twelve: 'twelfth' };

const padded = (number, length = 2) => String(number).padStart(length, '0');

/** 1 to 99 in words. */
function inWords(number) {
  if (number < 20) return ones[number];
  return tens[Math.floor(number / 10)] + (number % 10 ? `-${ones[number % 10]}` : '');
}

function ordinalInWords(day) {
  const [, before, last] = /^(.*-)?(.*)$/.exec(inWords(day));
  return (before ?? '') + (irregular[last] ?? last.replace(/y$/, 'ie') + 'th');
}

function ordinal(day) {
  const ending = day > 10 && day < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
}

/** "nineteen ninety-eight", "nineteen oh five", "two thousand and three" … */
function yearInWords(random, year) {
  const [century, rest] = [Math.floor(year / 100), year % 100];
  const thousands = century % 10 === 0 && (rest < 10 || (year > 2000 && random.once(2)));
  if (thousands) {
    const and = random.once(2) ? ' and ' : ' ';
    return `${ones[century / 10]} thousand${rest ? and + inWords(rest) : ''}`;
  }
  if (rest === 0) return `${inWords(century)} hundred`;
  return `${inWords(century)} ${rest < 10 ? 'oh ' : ''}${inWords(rest)}`;
}

function shortYear(random, year) {
  if (year < 1950 || year > 2049 || !random.once(3)) return String(year);
  return padded(year % 100);
}

function writtenYear(random, year) {
  if (random.once(8)) return yearInWords(random, year);
  const digits = shortYear(random, year);
  return digits.length === 2 && random.once(2) ? random.pick(["'", '’']) + digits : digits;
}

function writtenMonth(random, month) {
  const name = months[month - 1];
  if (random.once(2)) return name;
  const short = name.slice(0, month === 9 && random.once(2) ? 4 : 3);
  return short !== name && random.once(3) ? `${short}.` : short;
}

function weekday(random, { year, month, day }) {
  if (!random.once(4)) return '';
  const name = weekdays[new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  return (random.once(2) ? name : name.slice(0, 3) + random.pick(['', '.'])) + random.pick([' ', ', ']);
}

/** "the 3rd of March, 1998" */
function dayFirst(random, date) {
  const { year, month, day } = date;
  const number = random.pick([String(day), String(day), padded(day), ordinal(day), ordinal(day), ordinalInWords(day)]);
  const said = !/^\d+$/.test(number);
  const the = said && random.once(2) ? 'the ' : '';
  const of = said && random.once(2) ? ' of ' : ' ';
  const comma = random.once(4) ? ', ' : ' ';
  return weekday(random, date) + the + number + of + writtenMonth(random, month) + comma + writtenYear(random, year);
}

/** "March 3rd, 1998" */
function monthFirst(random, date) {
  const { year, month, day } = date;
  const number = random.pick([String(day), String(day), padded(day), ordinal(day), ordinalInWords(day)]);
  const the = !/^\d+$/.test(number) && random.once(3) ? 'the ' : '';
  const comma = random.once(3) ? ' ' : ', ';
  return `${weekday(random, date)}${writtenMonth(random, month)} ${the}${number}${comma}${writtenYear(random, year)}`;
}

/** "1998, March 3" */
function yearFirst(random, { year, month, day }) {
  return `${year}${random.pick([' ', ' ', ', '])}${writtenMonth(random, month)} ${random.pick([day, padded(day), ordinal(day)])}`;
}

/** "3/14/1998", "3-14-98", "14.3.1998", "1998-3-14", "19980314" */
function digits(random, { year, month, day }) {
  const numbers = random.once(2) ? [month, day] : [padded(month), padded(day)];
  const [writtenMonth, writtenDay] = numbers;
  const short = shortYear(random, year);
  const space = random.once(4) ? ' ' : '';
  const separator = random.pick(['/', '-']);
  const americans = day > 12 && random.once(3) ? [writtenDay, writtenMonth] : [writtenMonth, writtenDay];
  return random.pick([
    [...americans, short].join(separator),
    [...americans, short].join(separator),
    [writtenDay, writtenMonth, short].join(`.${space}`),
    [year, ...numbers].join(random.pick(['-', '-', '/', '.'])),
    `${year}${padded(month)}${padded(day)}`,
  ]);
}

/** "3-Mar-98", "3.III.1998" */
function joined(random, { year, month, day }) {
  const numeral = roman[month - 1];
  const number = random.pick([day, padded(day)]);
  const short = shortYear(random, year);
  const name = months[month - 1].slice(0, 3);
  return random.pick([
    [number, name, short].join(random.pick(['-', '-', '/'])),
    [number, random.pick([numeral, numeral.toLowerCase()]), short].join(random.pick(['.', '. ', ' ', '-'])),
  ]);
}

const forms = [dayFirst, dayFirst, dayFirst, monthFirst, monthFirst, monthFirst, yearFirst, digits, digits, joined];

function written(random, date) {
  const text = random.pick(forms)(random, date);
  if (random.once(10)) return text.toLowerCase();
  return random.once(15) ? text.toUpperCase() : text;
}

/** Every day has one part. Days from 1900 to 2049 are drawn as often as all the others. */
function daysOfParts(random) {
  const parts = { train: [[], []], valid: [[], []], test: [[], []] };
  for (let time = Date.UTC(1000, 0, 1); time < Date.UTC(2200, 0, 1); time += 24 * 3600 * 1000) {
    const instant = new Date(time);
    const date = { year: instant.getUTCFullYear(), month: instant.getUTCMonth() + 1, day: instant.getUTCDate() };
    const drawn = random.below(100);
    const part = drawn < 3 ? 'valid' : drawn < 15 ? 'test' : 'train';
    parts[part][date.year >= 1900 && date.year < 2050 ? 0 : 1].push(date);
  }
  return parts;
}

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node models/data/dates.mjs FOLDER');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const random = new Random(1);
const days = daysOfParts(random);
for (const [name, size] of Object.entries(sizes)) {
  const lines = new Set();
  while (lines.size < size) {
    const date = random.pick(random.pick(days[name]));
    const iso = [padded(date.year, 4), padded(date.month), padded(date.day)].join('-');
    lines.add(`${written(random, date)}\t${iso}\n`);
  }
  writeFileSync(join(folder, `${name}.tsv`), [...lines].join(''));
  console.error(`${join(folder, `${name}.tsv`)}: ${lines.size} lines`);
}
