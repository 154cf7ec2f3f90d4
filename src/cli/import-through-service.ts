import { splitCsv } from '../core/csv-parts.ts';
import { DomainError, type ErrorCode } from '../errors.ts';
import type { MemberFileReport } from '../imports/import-member-file.ts';
import type { UndecidedChoice } from '../imports/member-status.ts';
import type { ImportCounts, ImportRow, OnProgress } from '../imports/report.ts';
import { decodeText } from '../imports/source/decode-text.ts';
import type { Encoding } from '../imports/source/encoding.ts';
import type { ImportNote } from '../imports/source/note.ts';
import {
  assertFileSize,
  assertIsText,
  toSingleByteEncoding,
} from '../imports/source/source-file.ts';

export interface RunningService {
  /** Where it serves, such as http://localhost:4000. */
  url: string;
  /** Of an owner or a manager: only people can import. */
  email: string;
  password: string;
}

interface MemberImportSettings {
  dryRun: boolean;
  createTeams: boolean;
  sendEmails: boolean;
  /** Change members whose email address is known. */
  update: boolean;
  /** The name of the file, for the list of imports. */
  fileName: string;
  undecided?: UndecidedChoice | undefined;
  /** Which plans the names in the file stand for. */
  plans?: { name: string; plan: string | null }[] | undefined;
  /** The encoding of a file that is not Unicode. Default: what it looks like. */
  encoding?: Encoding | undefined;
  /** Takes each row of the report. They are not kept: a list can have any number of lines. */
  onRow: (row: ImportRow) => void;
  onProgress?: OnProgress | undefined;
}

const SIGN_IN =
  'mutation SignIn($input: SignInInput!) { signIn(input: $input) { viewer { kind } } }';
const SIGN_OUT = 'mutation SignOut { signOut { viewer { kind } } }';
const START =
  'mutation StartImport($input: StartImportInput!) { startImport(input: $input) { import { id } } }';
const FINISH =
  'mutation FinishImport($input: FinishImportInput!) { finishImport(input: $input) { import { id } } }';
const IMPORT = `mutation ImportMembers($input: ImportMembersInput!) { importMembers(input: $input) { report {
  imported updated unchanged skipped dateOrder lines { line what outcome reason } notes { line text } } } }`;

interface PartReport extends ImportCounts {
  notes: ImportNote[];
  dateOrder: string | null;
  lines: { line: number; what: string; outcome: string; reason: string | null }[];
}

/**
 * Imports members through a running service, in parts of 200 lines, as the panel does. The correct lines are imported and the others
 * skipped. After an error, lines that were imported before stay, and importing the file again adds nobody twice.
 *
 * @throws the error of the service; UNAVAILABLE if it does not answer
 */
export async function importThroughService(
  { url, email, password }: RunningService,
  file: Uint8Array,
  { onRow, onProgress, dryRun, encoding, undecided, fileName, ...choices }: MemberImportSettings,
): Promise<MemberFileReport> {
  assertFileSize(file);
  assertIsText(file, 'CSV');
  const { text, notes } = decodeText(toSingleByteEncoding(file), encoding);
  const settings = { ...choices, undecided: undecided?.toUpperCase() };
  const signedIn = await send(url, SIGN_IN, { input: { email, password } });
  const cookie = signedIn.cookies.join('; ');
  try {
    const parts = splitCsv(text);
    const importParts = async (input: object, takeRow: typeof onRow): Promise<PartsReport> => {
      const total = startTotal(notes);
      for (const [n, part] of parts.entries()) {
        onProgress?.(n, parts.length);
        const { text: file, lineOffset } = part;
        const variables = {
          input: { ...settings, ...input, skipProblems: true, file, lineOffset },
        };
        const { data } = await send(url, IMPORT, variables, cookie);
        const { report } = (data as { importMembers: { report: PartReport } }).importMembers;
        for (const line of report.lines) takeRow(toRow(line));
        total.add(report);
      }
      return total.finish();
    };
    const isPreview = !dryRun || parts.length > 1;
    const preview = await importParts({ dryRun: true }, isPreview ? () => {} : onRow);
    if (!isPreview) return { dryRun, ...preview };
    // Only one of the parts can show how dates such as 03/04/2024 are read.
    const known = preview.dateOrder ? { dateOrder: preview.dateOrder } : {};
    if (dryRun) return { dryRun, ...(await importParts({ dryRun, ...known }, onRow)) };
    const start = { kind: 'MEMBERS', fileName, updatesExisting: choices.update };
    const started = await send(url, START, { input: start }, cookie);
    const { id } = (started.data as { startImport: { import: { id: string } } }).startImport.import;
    const report = await importParts({ dryRun, importId: id, ...known }, onRow);
    await send(url, FINISH, { input: { id } }, cookie);
    return { dryRun, ...report, importId: id };
  } finally {
    await send(url, SIGN_OUT, {}, cookie).catch(() => {});
  }
}

interface PartsReport extends ImportCounts {
  notes: ImportNote[];
  dateOrder: string | null;
}

/** Adds up the reports of parts, without their rows. */
function startTotal(notes: ImportNote[]) {
  const counts = { imported: 0, updated: 0, unchanged: 0, skipped: 0 };
  // Each part reports the same about the header.
  const notesByText = new Map(notes.map((note) => [`${note.line} ${note.text}`, note]));
  const orders = new Set<string>();
  return {
    add: (report: PartReport): void => {
      for (const count of Object.keys(counts) as (keyof ImportCounts)[])
        counts[count] += report[count];
      for (const note of report.notes) notesByText.set(`${note.line} ${note.text}`, note);
      if (report.dateOrder !== null) orders.add(report.dateOrder);
    },
    finish: (): PartsReport => {
      const [order = null, ...others] = orders;
      return {
        ...counts,
        notes: [...notesByText.values()],
        dateOrder: others.length === 0 ? order : null,
      };
    },
  };
}

const toRow = ({ reason, outcome, ...line }: PartReport['lines'][number]): ImportRow => ({
  ...line,
  outcome: outcome.toLowerCase() as ImportRow['outcome'],
  ...(reason === null ? {} : { reason }),
});

interface GraphqlResponse {
  data?: unknown;
  errors?: { message: string; extensions?: { code?: ErrorCode } }[];
}

async function send(
  url: string,
  query: string,
  variables: object,
  cookie?: string,
): Promise<{ data: unknown; cookies: string[] }> {
  const endpoint = `${url.replace(/(?<!\/)\/+$/, '')}/graphql`;
  const response = await fetch(endpoint, {
    method: 'POST',
    redirect: 'error',
    headers: { 'content-type': 'application/json', ...(cookie ? { cookie } : {}) },
    body: JSON.stringify({ query, variables }),
  }).catch((error) => {
    throw notReached(url, error);
  });
  const { data, errors } = (await response.json().catch((error) => {
    throw notReached(url, error);
  })) as GraphqlResponse;
  const [error] = errors ?? [];
  if (error)
    throw new DomainError(error.extensions?.code ?? 'INTERNAL', error.message, {
      ...error.extensions,
    } as never);
  return {
    data,
    cookies: response.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? ''),
  };
}

const notReached = (url: string, cause: unknown) =>
  new DomainError(
    'INTERNAL',
    `No service answers at ${url}. Start it, or correct --url.`,
    { reason: 'UNAVAILABLE' },
    { cause },
  );
