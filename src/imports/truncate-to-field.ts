import type { Occurrence } from './calendar/series.ts';
import { type ImportNote, toSameNote } from './source/note.ts';

/** Cuts a text to the limit of its field, so that people can save the form that shows it. The last character is then an ellipsis. */
export function truncateToField(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Says which entries have texts that are cut. */
export function noteShortened(tooLong: Occurrence[]): ImportNote[] {
  const [first, ...others] = new Set(tooLong.map(({ line }) => line));
  if (first === undefined) return [];
  const more = toSameNote(others.length, 'entry', 'entries');
  return [{ line: first, text: `A text of the entry was too long and was shortened.${more}` }];
}
