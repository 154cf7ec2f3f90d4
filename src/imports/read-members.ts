import { z } from 'zod';
import type { CalendarDate } from '../core/time/calendar-date.ts';
import { isPersonName } from '../core/validation.ts';
import type { MemberStatus } from '../db/generated/client.ts';
import { createDateParser, type DateOrder, findDateOrder, type ParseDate } from './dates.ts';
import { type ImportNote, type ImportRow, toSkippedRow } from './report.ts';
import { type CsvRow, parseCsv } from './source/csv-table.ts';
import { createUnreadableFileError } from './source/source-file.ts';

export interface ListedMember extends ImportedPerson {
  line: number;
  what: string;
}

interface MemberFile {
  people: ListedMember[];
  /** The rows that cannot be imported. */
  skippedRows: ImportRow[];
  notes: ImportNote[];
  /** Whether its dates show that they begin with the day or the month. */
  dateOrder: DateOrder | null;
}

/**
 * Reads a member list from CSV.
 *
 * @throws BAD_REQUEST, with the line, for a file that cannot be read at all
 */
export function readMembers(
  file: Uint8Array,
  {
    lineOffset = 0,
    dateOrder,
  }: { lineOffset?: number | undefined; dateOrder?: DateOrder | undefined } = {},
): MemberFile {
  const [header, ...rows] = parseCsv(file).map((row, index) =>
    index === 0 ? row : { ...row, line: row.line + lineOffset },
  );
  if (!header) throw createUnreadableFileError(1, 'The file is empty.');
  const { cell, notes } = mapColumns(header);
  const shownOrder = findDateOrder(rows.map((row) => cell(row, 'startsOn')));
  const parseDate = createDateParser(dateOrder ?? shownOrder);
  const byEmail = new Map<string, ListedMember>();
  const skippedRows: ImportRow[] = [];
  for (const row of rows) {
    const label = { line: row.line, what: formatPerson(row, cell) };
    const person = row.cells.slice(header.cells.length).some((extra) => extra !== '')
      ? { reason: `It has ${row.cells.length} fields, but the header has ${header.cells.length}.` }
      : parsePerson(row, cell, parseDate);
    const duplicate = 'email' in person && byEmail.get(person.email);
    if ('reason' in person) skippedRows.push(toSkippedRow(label, person.reason));
    else if (duplicate)
      skippedRows.push(toSkippedRow(label, `Line ${duplicate.line} has the same email address.`));
    else byEmail.set(person.email, { ...label, ...person });
  }
  return { people: [...byEmail.values()], skippedRows, notes, dateOrder: shownOrder };
}

function formatPerson(row: CsvRow, cell: ReadCell): string {
  const name = readName(row, cell);
  const email = cell(row, 'email');
  return (name && email ? `${name} <${email}>` : name || email || row.cells.join(' ')).slice(
    0,
    200,
  );
}

interface ImportedPerson {
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  status: MemberStatus;
  /** The name of the team. */
  team: string | null;
  /** The name of the plan. */
  plan: string | null;
  /** The first day as a member, and of the membership if there is a plan. */
  startsOn: CalendarDate | null;
}

const MEMBER_STATUS_BY_WORD: Record<string, MemberStatus> = {
  '': 'active',
  active: 'active',
  aktiv: 'active',
  current: 'active',
  paused: 'paused',
  'on hold': 'paused',
  suspended: 'paused',
  pausiert: 'paused',
  former: 'former',
  inactive: 'former',
  inaktiv: 'former',
  cancelled: 'former',
  canceled: 'former',
  left: 'former',
  ehemalig: 'former',
};

const textLine = (field: string, maxLength: number) =>
  z
    .string()
    .transform((text) => text.replace(/\s+/g, ' ').trim())
    .pipe(z.string().max(maxLength, `The ${field} is longer than ${maxLength} characters.`));

const importedPersonSchema = z.object({
  name: textLine('name', 100)
    .pipe(z.string().min(1, 'It has no name.'))
    .pipe(z.string().refine(isPersonName, 'The name contains a web or email address.')),
  email: z
    .string()
    .min(1, 'It has no email address.')
    .transform((text) => text.replace(/^mailto:/i, '').toLowerCase())
    .pipe(z.email('The email address is invalid.').max(254, 'The email address is too long.')),
  phone: textLine('phone number', 50),
  company: textLine('company', 200),
  team: textLine('name of the team', 200),
  plan: textLine('name of the plan', 200),
  status: z
    .string()
    .transform((text) => MEMBER_STATUS_BY_WORD[text.toLowerCase()])
    .refine((status) => status !== undefined, 'The status must be active, paused or former.'),
});

/** Parses a row, or returns the reason why it cannot be imported. */
function parsePerson(
  row: CsvRow,
  cell: ReadCell,
  parseDate: ParseDate,
): ImportedPerson | { reason: string } {
  const parsed = importedPersonSchema.safeParse({
    name: readName(row, cell),
    email: cell(row, 'email'),
    phone: cell(row, 'phone'),
    company: cell(row, 'company'),
    team: cell(row, 'team'),
    plan: cell(row, 'plan'),
    status: cell(row, 'status'),
  });
  const startsOn = parseDate(cell(row, 'startsOn'));
  const problems = parsed.error?.issues.map(({ message }) => message) ?? [];
  if (startsOn instanceof Error) problems.push(startsOn.message);
  if (!parsed.success || startsOn instanceof Error) return { reason: problems.join(' ') };
  const { name, email, phone, company, team, plan, status } = parsed.data;
  return {
    name,
    email,
    phone: phone || null,
    company: company || null,
    status: status ?? 'active',
    team: team || null,
    plan: plan || null,
    startsOn,
  };
}

const readName = (row: CsvRow, cell: ReadCell): string =>
  cell(row, 'name') || `${cell(row, 'firstName')} ${cell(row, 'lastName')}`.trim();

const HEADER_SPELLINGS = {
  name: 'name fullname membername displayname contactname vollername',
  firstName: 'firstname givenname forename vorname prenom',
  lastName: 'lastname surname familyname nachname familienname nomdefamille',
  email:
    'email emailaddress mail mailaddress primaryemail email1 emailadresse mailadresse courriel adressemail',
  phone:
    'phone phonenumber telephone telephonenumber tel mobile mobilephone mobilenumber cell cellphone ' +
    'telefon telefonnummer mobil handy',
  company:
    'company companyname organisation organization organisationname organizationname firma unternehmen',
  status: 'status memberstatus membershipstatus',
  team: 'team teamname group groupname equipe gruppe',
  plan: 'plan planname membership membershipplan membershiptype tariff tarif tarifname formule abonnement',
  startsOn:
    'startdate start startson starts membersince since joined joinedon joindate joiningdate membershipstart ' +
    'membershipstartdate startdatum beginn eintritt eintrittsdatum mitgliedseit datededebut debut membredepuis',
} as const;

type MemberField = keyof typeof HEADER_SPELLINGS;

/** Reads a field of a row: the first column for it that is not empty. */
type ReadCell = (row: CsvRow, field: MemberField) => string;

const FIELD_BY_HEADER = new Map(
  (Object.keys(HEADER_SPELLINGS) as MemberField[]).flatMap((field) =>
    HEADER_SPELLINGS[field].split(' ').map((spelling) => [spelling, field] as const),
  ),
);

/** @throws BAD_REQUEST for a header without columns for name and email address */
function mapColumns(header: CsvRow): { cell: ReadCell; notes: ImportNote[] } {
  const fields = header.cells.map((cell) => FIELD_BY_HEADER.get(normalizeHeader(cell)));
  const has = (field: MemberField) => fields.includes(field);
  const names = header.cells.join(', ');
  if (!has('email'))
    throw createUnreadableFileError(
      header.line,
      `There is no column named "Email", only ${names}.`,
    );
  if (!has('name') && !has('firstName') && !has('lastName')) {
    throw createUnreadableFileError(header.line, `There is no column named "Name", only ${names}.`);
  }
  const unknown = [...new Set(header.cells.filter((cell, index) => cell !== '' && !fields[index]))];
  return {
    cell: ({ cells }, field) =>
      cells.find((cell, index) => fields[index] === field && cell !== '') ?? '',
    notes: unknown.map((cell) => ({
      line: header.line,
      text: `The column "${cell}" is not imported.`,
    })),
  };
}

/** "E-Mail-Adresse " and "emailadresse" are the same. */
const normalizeHeader = (cell: string) =>
  cell
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
