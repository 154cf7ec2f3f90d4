import { z } from 'zod';
import { findCountry } from '../core/countries.ts';
import {
  findNameProblem,
  removeDirectionControls,
  removeMarks,
  separateDots,
} from '../core/text-rules.ts';
import type { CalendarDate } from '../core/time/calendar-date.ts';
import type { MemberStatus } from '../db/generated/client.ts';
import { BILLING_FIELDS, type BillingField } from '../rows/billing-columns.ts';
import {
  createDateOrderFinder,
  createDateParser,
  type DateOrder,
  type ParseDate,
} from './dates.ts';
import type { SkippedLine } from './line-causes.ts';
import {
  type ColumnMapping,
  createCellReader,
  type ReadCell,
  recognizeColumns,
} from './member-columns.ts';
import type { MemberField } from './member-fields.ts';
import { parseStatus, type UndecidedChoice } from './member-status.ts';
import { type ImportColumn, type ImportRow, toSkippedRow } from './report.ts';
import { type CsvRow, readCsv } from './source/csv-table.ts';
import type { Encoding } from './source/encoding.ts';
import type { ImportNote } from './source/note.ts';
import { assertFileSize, toReadFile } from './source/source-file.ts';

export interface ListedMember extends ImportedPerson {
  line: number;
  what: string;
  /** What the import made of the line that people should know. */
  remark?: string;
}

interface MemberFile {
  people: ListedMember[];
  /** The rows that cannot be imported. */
  skippedRows: SkippedLine[];
  notes: ImportNote[];
  columns: ImportColumn[];
  /** Whether its dates show that they begin with the day or the month. */
  dateOrder: DateOrder | null;
}

interface ReadOptions {
  /** Added to the lines, if the file is a part of a larger one. */
  lineOffset?: number | undefined;
  /** Whether dates such as 03/04/2024 begin with the day or the month, if other parts of the file show it. */
  dateOrder?: DateOrder | undefined;
  /** The zone of all locations, for moments in UTC. */
  timeZone?: string | null | undefined;
  /** The encoding of a file that is not Unicode. Default: what it looks like. */
  encoding?: Encoding | undefined;
  /** The field of each column. Default: as their names say. */
  mapping?: ColumnMapping | undefined;
  /** How people who are not members yet are imported. Default: their lines are problems. */
  undecided?: UndecidedChoice | undefined;
}

/**
 * Reads a member list from CSV.
 *
 * @throws BAD_REQUEST, with the line, for a file that cannot be read at all
 */
export async function readMembers(
  file: Uint8Array,
  options: ReadOptions = {},
): Promise<MemberFile> {
  const { lineOffset = 0 } = options;
  assertFileSize(file);
  const table = await readCsv(toReadFile(file), options.encoding);
  const rows: CsvRow[] = [];
  for await (const row of table.rows) rows.push({ ...row, line: row.line + lineOffset });
  const mapping = options.mapping ?? recognizeColumns(table.header);
  const { cell, notes } = createCellReader(table.header, mapping);
  const order = createDateOrderFinder();
  for (const row of rows) {
    order.add(cell(row, 'startsOn'));
    order.add(cell(row, 'endsOn'));
  }
  const shownOrder = order.find();
  const parse = createMemberParser({
    cell,
    columns: table.header.cells.length,
    dateOrder: options.dateOrder ?? shownOrder,
    timeZone: options.timeZone ?? null,
    undecided: options.undecided,
  });
  const findDuplicate = createDuplicateFinder();
  const people: ListedMember[] = [];
  const skippedRows: SkippedLine[] = [];
  for (const row of rows) {
    const parsed = parse(row);
    const skipped = 'outcome' in parsed ? parsed : findDuplicate(parsed);
    if (skipped !== null) skippedRows.push(skipped);
    else people.push(parsed as ListedMember);
  }
  return {
    people,
    skippedRows,
    notes: [
      ...notes,
      ...table.listNotes().map(({ line, text }) => ({
        line: line === null ? null : line + lineOffset,
        text,
      })),
    ],
    columns: table.header.cells.map((name, index) => ({
      name: name.slice(0, 100),
      field: mapping[index] ?? null,
    })),
    dateOrder: shownOrder,
  };
}

/** Creates a function that says which earlier line has the email address or the customer number of a person. */
export function createDuplicateFinder() {
  const lines = { email: new Map<string, number>(), number: new Map<string, number>() };
  const toDuplicate = (person: ListedMember, first: number, what: string): SkippedLine => ({
    ...toSkippedRow(person, `Line ${first} has the same ${what}.`),
    cause: { line: first, ifSkipped: `Line ${first} is skipped too: correct it first.` },
  });
  return (person: ListedMember): SkippedLine | null => {
    const { email, customerNumber, line } = person;
    const first = lines.email.get(email);
    if (first !== undefined) return toDuplicate(person, first, 'email address');
    const numbered = customerNumber === null ? undefined : lines.number.get(customerNumber);
    if (numbered !== undefined) return toDuplicate(person, numbered, 'customer number');
    lines.email.set(email, line);
    if (customerNumber !== null) lines.number.set(customerNumber, line);
    return null;
  };
}

interface MemberParserOptions {
  cell: ReadCell;
  /** How many columns the header has. */
  columns: number;
  dateOrder: DateOrder | null;
  /** The zone of all locations; null if they have several. */
  timeZone: string | null;
  undecided?: UndecidedChoice | undefined;
}

/** Creates a function that parses a row, or says why it cannot be imported. */
export function createMemberParser({
  cell,
  columns,
  dateOrder,
  timeZone,
  undecided,
}: MemberParserOptions) {
  const parseDate = createDateParser({ order: dateOrder, timeZone });
  return (row: CsvRow): ListedMember | ImportRow => {
    const label = { line: row.line, what: formatPerson(row, cell) };
    const person = row.cells.slice(columns).some((extra) => extra !== '')
      ? { reason: `It has ${row.cells.length} fields, but the header has ${columns}.` }
      : parsePerson(row, cell, { parseDate, undecided });
    return 'reason' in person ? toSkippedRow(label, person.reason) : { ...label, ...person };
  };
}

function formatPerson(row: CsvRow, cell: ReadCell): string {
  const name = readName(row, cell);
  const email = cell(row, 'email');
  return (name && email ? `${name} <${email}>` : name || email || row.cells.join(' ')).slice(
    0,
    200,
  );
}

interface ImportedPerson extends Record<BillingField, string | null> {
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  status: MemberStatus;
  /** Whether a column says the status. Otherwise, it is that of a new member. */
  hasStatus: boolean;
  /** The name of the team. */
  team: string | null;
  /** The name of the plan. */
  plan: string | null;
  /** The first day as a member, and of the membership if there is a plan. */
  startsOn: CalendarDate | null;
  /** The last day as a member. If it is over, the person is a former member. */
  endsOn: CalendarDate | null;
}

/** Removes what phones and web pages copy along with a text: also spaces without width and what changes the direction of a text. */
const removeCopied = (text: string) =>
  removeMarks(removeDirectionControls(text)).replace(/[\u200b\u2060\ufeff]/g, '');

/** A text on one line. `spell` comes before its length is checked. */
const lineOf = (spell: (text: string) => string = (text) => text) =>
  z.string().transform((text) => spell(removeCopied(text).replace(/\s+/g, ' ').trim()));

const textLine = (field: string, maxLength: number) =>
  lineOf().pipe(z.string().max(maxLength, `The ${field} is longer than ${maxLength} characters.`));

const importedPersonSchema = z.object({
  name: lineOf(separateDots)
    .pipe(z.string().min(1, 'It has no name.').max(100, 'The name is longer than 100 characters.'))
    .refine((name) => findNameProblem(name) !== 'link', 'The name contains a web or email address.')
    .refine(
      (name) => findNameProblem(name) !== 'invisible',
      'The name has invisible characters. Type it again.',
    ),
  email: z
    .string()
    .min(1, 'It has no email address.')
    .transform((text) =>
      removeCopied(text)
        .trim()
        .replace(/^mailto:/i, '')
        .toLowerCase(),
    )
    .pipe(z.email('The email address is invalid.').max(254, 'The email address is too long.')),
  phone: textLine('phone number', 50),
  company: textLine('company', 200),
  address: z
    .string()
    .transform((text) =>
      removeCopied(text)
        .split(/[\r\n]+/)
        .map((line) => line.replace(/\s+/g, ' ').trim())
        .filter((line) => line !== '')
        .join('\n'),
    )
    .pipe(z.string().max(200, 'The address is longer than 200 characters.')),
  postcode: textLine('postcode', 20),
  city: textLine('city', 100),
  country: textLine('country', 100)
    .transform((name) => (name === '' ? '' : findCountry(name)))
    .pipe(
      z.string(
        'The country is unknown. Write it in English, German or French, or as a code such as DE.',
      ),
    ),
  customerNumber: textLine('customer number', 50),
  team: textLine('name of the team', 200),
  plan: textLine('name of the plan', 200),
});

// Spreadsheets run such a text as a formula, and exports write an apostrophe before it, as ours do.
const GUARDED = /(^|[;\t\r\n])'(?=[ "]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;
const removeApostrophe = (text: string) => text.replace(GUARDED, '$1');

// A phone number can begin with a plus sign.
const FORMULA = /^(=|[+\-@](?=[^\n]*[(!|]))(?![\d\s()/+.-]*$)/;

interface PersonOptions {
  parseDate: ParseDate;
  undecided: UndecidedChoice | undefined;
}

/** Parses a row, or returns the reason why it cannot be imported. */
function parsePerson(
  row: CsvRow,
  cell: ReadCell,
  { parseDate, undecided }: PersonOptions,
): ImportedPerson | { reason: string } {
  const read = (field: MemberField) => removeApostrophe(cell(row, field));
  const texts = {
    name: readName(row, cell),
    email: read('email'),
    phone: read('phone'),
    company: read('company'),
    ...toRecord(BILLING_FIELDS, read),
    team: read('team'),
    plan: read('plan'),
  };
  const parsed = importedPersonSchema.safeParse(texts);
  const status = parseStatus(
    { status: read('status'), active: read('active'), approved: read('approved') },
    undecided,
  );
  const [startsOn, endsOn] = [
    parseDate(read('startsOn'), 'start'),
    parseDate(read('endsOn'), 'end'),
  ];
  const formula = Object.entries(texts).find(([, text]) => FORMULA.test(text))?.[0];
  const problems = parsed.error?.issues.map(({ message }) => message) ?? [];
  if (formula) problems.push(`The ${formula} is a formula of a spreadsheet. Export its result.`);
  for (const part of [status, startsOn, endsOn])
    if (part instanceof Error) problems.push(part.message);
  if (!parsed.success || problems.length > 0) return { reason: problems.join(' ') };
  const { name, email, phone, company, team, plan, ...billing } = parsed.data;
  return {
    name,
    email,
    phone: phone || null,
    company: company || null,
    ...toRecord(BILLING_FIELDS, (field) => billing[field] || null),
    status: status as MemberStatus,
    hasStatus: (['status', 'active', 'approved'] as const).some((field) => read(field) !== ''),
    team: team || null,
    plan: plan || null,
    startsOn: startsOn as CalendarDate | null,
    endsOn: endsOn as CalendarDate | null,
  };
}

const toRecord = <Field extends string, Value>(
  fields: readonly Field[],
  read: (field: Field) => Value,
) => Object.fromEntries(fields.map((field) => [field, read(field)])) as Record<Field, Value>;

const readName = (row: CsvRow, cell: ReadCell): string =>
  removeApostrophe(cell(row, 'name')) ||
  `${removeApostrophe(cell(row, 'firstName'))} ${removeApostrophe(cell(row, 'lastName'))}`.trim();
