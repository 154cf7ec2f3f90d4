import type { ImportNote } from '../report.ts';
import { unreadable } from '../source/unreadable.ts';
import type { Row } from './table.ts';

const SPELLINGS = {
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
} as const;

type Field = keyof typeof SPELLINGS;

/** What a row says of a field; the first of several columns that says something. */
export type Cells = (row: Row, field: Field) => string;

const FIELDS = new Map(
  (Object.keys(SPELLINGS) as Field[]).flatMap((field) =>
    SPELLINGS[field].split(' ').map((spelling) => [spelling, field] as const),
  ),
);

/** Throws BAD_REQUEST where the header names no e-mail address or no name. */
export function columnsOf(header: Row): { cell: Cells; notes: ImportNote[] } {
  const fields = header.cells.map((cell) => FIELDS.get(bare(cell)));
  const has = (field: Field) => fields.includes(field);
  const names = header.cells.join(', ');
  if (!has('email')) throw unreadable(header.line, `No column is called "E-mail", only ${names}.`);
  if (!has('name') && !has('firstName') && !has('lastName')) {
    throw unreadable(header.line, `No column is called "Name", only ${names}.`);
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
const bare = (cell: string) =>
  cell
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
