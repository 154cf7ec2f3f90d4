import type { ChangeFragment as Change } from '../../gql/graphql.ts';
import { findSubject, formatActor, listFieldChanges, toPlainText } from './change-labels.ts';

export const CSV_HEADER = [
  'time',
  'type',
  'subject_id',
  'subject',
  'who',
  'address',
  'request_id',
  'agent',
  'field',
  'before',
  'after',
];

/** The cells of a change: a line for each field that differs. */
export function toCsvLines(change: Change): string[][] {
  const { at, type, subjectId, address, requestId, agent } = change;
  const subject = [subjectId ?? '', findSubject(change)?.name ?? ''];
  const start = [
    at,
    type,
    ...subject,
    formatActor(change),
    address ?? '',
    requestId ?? '',
    agent ?? '',
  ];
  const fields = listFieldChanges(change);
  if (fields.length === 0) return [[...start, '', '', '']];
  return fields.map(({ field, before, after }) => [
    ...start,
    field,
    toPlainText(before),
    toPlainText(after),
  ]);
}
