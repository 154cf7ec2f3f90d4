import type { Context } from '../context.ts';
import { generateMemberCode } from '../features/members/service/members.ts';
import { recordCreated } from '../journal/record-changes.ts';
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
  /** A CSV file with a header, in UTF-8, UTF-16 or Windows-1252. */
  file: Uint8Array;
}

/**
 * Imports members whose email address is new. Existing members do not change.
 *
 * @throws BAD_REQUEST for an invalid file
 */
export async function importMembers(ctx: Context, input: MemberImport): Promise<ImportReport> {
  const { people, skippedRows, notes } = readMembers(input.file);
  const dryRun = input.dryRun ?? false;
  return runImport(ctx, dryRun, async (ctx) => {
    const { db } = ctx;
    const existing = await findKnownEmails(db, people);
    const newPeople = people.filter(({ email }) => !existing.has(email));
    const added = await insertMembers(ctx, newPeople, input.onProgress);
    // Members that someone else added while the import ran.
    const addedElsewhere = await findKnownEmails(
      db,
      newPeople.filter(({ email }) => !added.has(email)),
    );
    const rows = people.map((person) =>
      toMemberRow(person, added, new Set([...existing, ...addedElsewhere])),
    );
    return buildReport(dryRun, [...skippedRows, ...rows], notes);
  });
}

function toMemberRow(person: ListedMember, added: Set<string>, known: Set<string>): ImportRow {
  const { line, what, email } = person;
  if (added.has(email)) return { line, what, outcome: 'imported' };
  if (!known.has(email))
    return toSkippedRow(person, 'It could not be saved this time. Import the file again.');
  return { line, what, outcome: 'unchanged', reason: 'A member already has this email address.' };
}

async function findKnownEmails(db: Context['db'], people: ListedMember[]): Promise<Set<string>> {
  const rows = await mapInBatches(people, (batch) =>
    db.member.findMany({
      where: { email: { in: batch.map(({ email }) => email) } },
      select: { email: true },
    }),
  );
  return new Set(rows.map(({ email }) => email));
}

async function insertMembers(
  ctx: Context,
  people: ListedMember[],
  onProgress?: OnProgress,
): Promise<Set<string>> {
  const write = async (batch: ListedMember[]) => {
    const added = await ctx.db.member.createManyAndReturn({
      data: batch.map(({ line, what, ...person }) => ({ ...person, code: generateMemberCode() })),
      select: { id: true, email: true },
      skipDuplicates: true,
    });
    const ids = added.map(({ id }) => id);
    await recordCreated(ctx, 'member.created', ids);
    return added;
  };
  const added = await mapInBatches(people, write, onProgress);
  return new Set(added.map(({ email }) => email));
}
