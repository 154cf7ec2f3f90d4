import type { Ctx } from '../context.ts';
import { memberCode } from '../features/members/code.ts';
import { inBatches } from './batches.ts';
import { type ListedPerson, readMembers } from './members/read.ts';
import { importing } from './rehearsal.ts';
import {
  type ImportOptions,
  type ImportReport,
  type ImportRow,
  type OnProgress,
  reportOf,
  skipped,
} from './report.ts';

interface MemberImport extends ImportOptions {
  /** A CSV file with a header, in any usual encoding. */
  file: Uint8Array;
}

/** Adds the members whose e-mail address is new; nobody is changed. Throws BAD_REQUEST for a broken file. */
export async function importMembers(ctx: Ctx, input: MemberImport): Promise<ImportReport> {
  const { people, bad, notes } = readMembers(input.file);
  const dryRun = input.dryRun ?? false;
  return importing(ctx, dryRun, async ({ db }) => {
    const known = await emailsAmong(db, people);
    const fresh = people.filter(({ email }) => !known.has(email));
    const added = await add(db, fresh, input.onProgress);
    const late = await emailsAmong(
      db,
      fresh.filter(({ email }) => !added.has(email)),
    );
    const rows = people.map((person) => outcomeOf(person, added, new Set([...known, ...late])));
    return reportOf(dryRun, [...bad, ...rows], notes);
  });
}

function outcomeOf(person: ListedPerson, added: Set<string>, known: Set<string>): ImportRow {
  const { line, what, email } = person;
  if (added.has(email)) return { line, what, outcome: 'imported' };
  if (!known.has(email))
    return skipped(person, 'It could not be stored this time; import the file again.');
  return { line, what, outcome: 'unchanged', reason: 'A member has this e-mail address already.' };
}

async function emailsAmong(db: Ctx['db'], people: ListedPerson[]): Promise<Set<string>> {
  const found = await inBatches(people, (batch) =>
    db.member.findMany({
      where: { email: { in: batch.map(({ email }) => email) } },
      select: { email: true },
    }),
  );
  return new Set(found.map(({ email }) => email));
}

async function add(
  db: Ctx['db'],
  people: ListedPerson[],
  onProgress?: OnProgress,
): Promise<Set<string>> {
  const write = (batch: ListedPerson[]) =>
    db.member.createManyAndReturn({
      data: batch.map(({ line, what, ...person }) => ({ ...person, code: memberCode() })),
      select: { email: true },
      skipDuplicates: true,
    });
  const added = await inBatches(people, write, onProgress);
  return new Set(added.map(({ email }) => email));
}
