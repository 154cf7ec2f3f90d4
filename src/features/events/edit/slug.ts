import { randomBytes } from 'node:crypto';
import { wallClock } from '../../../time.ts';
import { isUuid } from '../../../values.ts';

const LONGEST_TITLE = 60;

/** Addresses for an event, the plainest first, without end: its title, with its day, with some letters by chance. */
export function* slugsFor(title: string, startsAt: Date, timeZone: string): Generator<string> {
  const words = wordsOf(title);
  yield words;
  yield `${words}-${wallClock(startsAt, timeZone).slice(0, 10)}`;
  while (true) yield `${words}-${randomBytes(4).toString('hex')}`;
}

/** "Yoga für alle!" is "yoga-fur-alle". What looks like an id would never be found by its slug. */
function wordsOf(title: string): string {
  const words = title
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, LONGEST_TITLE)
    .replace(/-+$/, '');
  return words === '' || isUuid(words) ? 'event' : words;
}
