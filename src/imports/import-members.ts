import type { Context } from '../context.ts';
import { generateMemberCode } from '../features/members/service.ts';
import { type ListedMember, readMembers } from './read-members.ts';
import {
  buildReport,
  type ImportOptions,
  type ImportReport,
  type ImportRow,
  type OnProgress,
  toSkippedRow,
} from './report.ts';
import { mapInBatches, runImport } from './run-import.ts';

interface MemberImport extends ImportOptions {
  /** A CSV file with a header, in any usual encoding. */
  file: Uint8Array;
}

/** Adds the members whose e-mail address is new; nobody is changed. Throws BAD_REQUEST for a broken file. */
export async function importMembers(ctx: Context, input: MemberImport): Promise<ImportReport> {
  const { people, skippedRows, notes } = readMembers(input.file);
  const dryRun = input.dryRun ?? false;
  return runImport(ctx, dryRun, async ({ db }) => {
    const known = await findKnownEmails(db, people);
    const fresh = people.filter(({ email }) => !known.has(email));
    const added = await insertMembers(db, fresh, input.onProgress);
    const late = await findKnownEmails(
      db,
      fresh.filter(({ email }) => !added.has(email)),
    );
    const rows = people.map((person) => toMemberRow(person, added, new Set([...known, ...late])));
    return buildReport(dryRun, [...skippedRows, ...rows], notes);
  });
}

function toMemberRow(person: ListedMember, added: Set<string>, known: Set<string>): ImportRow {
  const { line, what, email } = person;
  if (added.has(email)) return { line, what, outcome: 'imported' };
  if (!known.has(email))
    return toSkippedRow(person, 'It could not be stored this time; import the file again.');
  return { line, what, outcome: 'unchanged', reason: 'A member has this e-mail address already.' };
}

async function findKnownEmails(db: Context['db'], people: ListedMember[]): Promise<Set<string>> {
  const found = await mapInBatches(people, (batch) =>
    db.member.findMany({
      where: { email: { in: batch.map(({ email }) => email) } },
      select: { email: true },
    }),
  );
  return new Set(found.map(({ email }) => email));
}

async function insertMembers(
  db: Context['db'],
  people: ListedMember[],
  onProgress?: OnProgress,
): Promise<Set<string>> {
  const write = (batch: ListedMember[]) =>
    db.member.createManyAndReturn({
      data: batch.map(({ line, what, ...person }) => ({ ...person, code: generateMemberCode() })),
      select: { email: true },
      skipDuplicates: true,
    });
  const added = await mapInBatches(people, write, onProgress);
  return new Set(added.map(({ email }) => email));
}
