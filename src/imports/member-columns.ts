import { HEADER_SPELLINGS, MEMBER_FIELDS, type MemberField } from './member-fields.ts';
import type { CsvRow } from './source/csv-table.ts';
import type { ImportNote } from './source/note.ts';
import { createUnreadableFileError } from './source/source-file.ts';

/** A field for each column of a file; null for a column that is not imported. */
export type ColumnMapping = (MemberField | null)[];

/** Reads a field of a row: the first column for it that is not empty. */
export type ReadCell = (row: CsvRow, field: MemberField) => string;

const FIELD_BY_HEADER = new Map<string, MemberField>(
  MEMBER_FIELDS.flatMap((field) =>
    HEADER_SPELLINGS[field].split(' ').map((spelling) => [spelling, field] as const),
  ),
);

/** A file can have thousands of columns. Messages and notes name the first. */
const MAX_NAMED_COLUMNS = 20;

/** Recognizes the columns of a header. */
export const recognizeColumns = (header: CsvRow): ColumnMapping =>
  header.cells.map((cell) => FIELD_BY_HEADER.get(normalizeHeader(cell)) ?? null);

/**
 * Reads the cells of a file by the field that each column has.
 *
 * @throws BAD_REQUEST without columns for name and email address
 */
export function createCellReader(
  header: CsvRow,
  mapping: ColumnMapping,
): { cell: ReadCell; notes: ImportNote[] } {
  const has = (field: MemberField) => mapping.includes(field);
  const names = header.cells.slice(0, MAX_NAMED_COLUMNS).map((cell) => cell.slice(0, 100));
  const reject = (field: string) => {
    const list = names.join(', ').slice(0, 500);
    const message = `There is no column named "${field}", only ${list}.`;
    throw createUnreadableFileError(header.line, message, names);
  };
  if (!has('email')) reject('Email');
  if (!has('name') && !has('firstName') && !has('lastName')) reject('Name');
  const unknown = [
    ...new Set(header.cells.filter((cell, index) => cell !== '' && !mapping[index])),
  ];
  return {
    cell: ({ cells }, field) =>
      cells.find((cell, index) => mapping[index] === field && cell !== '') ?? '',
    notes: [
      ...unknown
        .slice(0, MAX_NAMED_COLUMNS)
        .map((cell) => `The column "${cell.slice(0, 100)}" is not imported.`),
      ...(unknown.length > MAX_NAMED_COLUMNS
        ? [`${unknown.length - MAX_NAMED_COLUMNS} more columns are not imported.`]
        : []),
    ].map((text) => ({ line: header.line, text })),
  };
}

/** "E-Mail-Adresse " and "emailadresse" are the same. */
const normalizeHeader = (cell: string) =>
  cell
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
