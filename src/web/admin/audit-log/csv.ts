import type { ChangeFragment as Change } from '../../gql/graphql.ts';
import { findSubject, formatActor, listFieldChanges, toPlainText } from './change-labels.ts';

const HEADER = [
  'time',
  'type',
  'subject_id',
  'subject',
  'who',
  'address',
  'request_id',
  'field',
  'before',
  'after',
];

/** Spreadsheets run a text that begins with one of these as a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;

/** Formats changes as CSV (RFC 4180), a line for each field that differs. */
export function formatCsv(changes: Change[]): string {
  const lines = changes.flatMap((change) => {
    const { at, type, subjectId, address, requestId } = change;
    const subject = [subjectId ?? '', findSubject(change)?.name ?? ''];
    const start = [at, type, ...subject, formatActor(change), address ?? '', requestId ?? ''];
    const fields = listFieldChanges(change);
    if (fields.length === 0) return [[...start, '', '', '']];
    return fields.map(({ field, before, after }) => [
      ...start,
      field,
      toPlainText(before),
      toPlainText(after),
    ]);
  });
  return [HEADER, ...lines].map((cells) => `${cells.map(formatCell).join(',')}\r\n`).join('');
}

function formatCell(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = FORMULA_START.test(text) && !isNumber ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Offers a file to the browser. */
export function downloadText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
