import { type ImportNote, type ImportRow, skipped } from '../report.ts';
import { unreadable } from '../source/unreadable.ts';
import { type Cells, columnsOf } from './columns.ts';
import { nameIn, type Person, personIn } from './person.ts';
import { type Row, rowsIn } from './table.ts';

export interface ListedPerson extends Person {
  line: number;
  what: string;
}

interface MemberList {
  people: ListedPerson[];
  /** The rows that cannot be imported. */
  bad: ImportRow[];
  notes: ImportNote[];
}

/** Reads a member list. Throws BAD_REQUEST, with the line, for a file that is broken as a whole. */
export function readMembers(file: Uint8Array): MemberList {
  const [header, ...rows] = rowsIn(file);
  if (!header) throw unreadable(1, 'The file is empty.');
  const { cell, notes } = columnsOf(header);
  const byEmail = new Map<string, ListedPerson>();
  const bad: ImportRow[] = [];
  for (const row of rows) {
    const where = { line: row.line, what: whoIsIn(row, cell) };
    const person = row.cells.slice(header.cells.length).some((extra) => extra !== '')
      ? { reason: `It has ${row.cells.length} fields, but the header has ${header.cells.length}.` }
      : personIn(row, cell);
    const earlier = 'email' in person && byEmail.get(person.email);
    if ('reason' in person) bad.push(skipped(where, person.reason));
    else if (earlier) bad.push(skipped(where, `Line ${earlier.line} has the same e-mail address.`));
    else byEmail.set(person.email, { ...where, ...person });
  }
  return { people: [...byEmail.values()], bad, notes };
}

function whoIsIn(row: Row, cell: Cells): string {
  const name = nameIn(row, cell);
  const email = cell(row, 'email');
  return (name && email ? `${name} <${email}>` : name || email || row.cells.join(' ')).slice(
    0,
    200,
  );
}
