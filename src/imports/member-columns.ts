import type { ImportNote } from './report.ts';
import type { CsvRow } from './source/csv-table.ts';
import { createUnreadableFileError } from './source/source-file.ts';

/**
 * How programs and people name the columns of member lists, in lower case and without spaces: those of the exports of Cobot,
 * OfficeRnD and Nexudus, and those of lists in English, German and French.
 */
const HEADER_SPELLINGS = {
  name: 'name fullname membername memberfullname displayname contactname coworkername customername vollername',
  firstName: 'firstname givenname forename vorname prenom',
  lastName: 'lastname surname familyname nachname familienname nomdefamille nom',
  email:
    'email emailaddress mail mailaddress primaryemail email1 memberemail contactemail emailadresse mailadresse courriel adressemail',
  phone:
    'phone phonenumber telephone telephonenumber tel mobile mobilephone mobilephonenumber mobilenumber cell cellphone ' +
    'landline primaryphone contactphone telefon telefonnummer mobil mobiltelefon handy portable numerodetelephone',
  company:
    'company companyname organisation organization organisationname organizationname businessname billingcompany ' +
    'firma firmenname unternehmen societe entreprise',
  status:
    'status memberstatus membershipstatus contactstatus calculatedstatus mitgliedsstatus statut',
  active: 'active isactive aktiv actif',
  approved: 'approved isapproved confirmed isconfirmed approvalstatus',
  team: 'team teamname teams teamnames group groupname equipe gruppe',
  plan: 'plan planname membership membershipplan membershiptype currentplan tariff tariffname tarif tarifname formule abonnement',
  startsOn:
    'startdate start startson starts startsat startedon membersince since joined joinedon joindate joiningdate membershipstart ' +
    'membershipstartdate registrationdate startdatum beginn eintritt eintrittsdatum mitgliedseit datededebut debut membredepuis',
  endsOn:
    'enddate end endson endsat canceledto cancelledto canceledon cancelledon cancellationdate canceldate membershipend ' +
    'membershipenddate leftthespaceon enddatum ende austritt austrittsdatum kuendigungsdatum kundigungsdatum datedefin',
} as const;

export type MemberField = keyof typeof HEADER_SPELLINGS;

export const MEMBER_FIELDS = Object.keys(HEADER_SPELLINGS) as [MemberField, ...MemberField[]];

/** A field for each column of a file; null for a column that is not imported. */
export type ColumnMapping = (MemberField | null)[];

/** Reads a field of a row: the first column for it that is not empty. */
export type ReadCell = (row: CsvRow, field: MemberField) => string;

const FIELD_BY_HEADER = new Map<string, MemberField>(
  MEMBER_FIELDS.flatMap((field) =>
    HEADER_SPELLINGS[field].split(' ').map((spelling) => [spelling, field] as const),
  ),
);

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
  const names = header.cells.join(', ').slice(0, 500);
  if (!has('email'))
    throw createUnreadableFileError(
      header.line,
      `There is no column named "Email", only ${names}.`,
    );
  if (!has('name') && !has('firstName') && !has('lastName')) {
    throw createUnreadableFileError(header.line, `There is no column named "Name", only ${names}.`);
  }
  const unknown = [
    ...new Set(header.cells.filter((cell, index) => cell !== '' && !mapping[index])),
  ];
  return {
    cell: ({ cells }, field) =>
      cells.find((cell, index) => mapping[index] === field && cell !== '') ?? '',
    notes: unknown.map((cell) => ({
      line: header.line,
      text: `The column "${cell.slice(0, 100)}" is not imported.`,
    })),
  };
}

/** "E-Mail-Adresse " and "emailadresse" are the same. */
const normalizeHeader = (cell: string) =>
  cell
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
