import { clockIn, dayIn, zoneWords } from '../ui/place-words.ts';

const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** " (Berlin time)" for whoever's own clock shows another time at that moment; else nothing. */
export const zoneNote = (at: string | Date, timeZone: string) =>
  clockIn(at, timeZone) === clockIn(at, own) && dayIn(at, timeZone) === dayIn(at, own)
    ? ''
    : ` (${zoneWords(timeZone)})`;
