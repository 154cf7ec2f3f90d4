import type { Context } from '../context.ts';
import { type CalendarDate, toDateColumn } from '../core/time/calendar-date.ts';
import { DomainError } from '../errors.ts';
import { generateMemberCode } from '../features/members/service/members.ts';
import { recordCreated } from '../journal/record-changes.ts';
import type { DateOrder } from './dates.ts';
import { type Choices, findChoices, getToday, QUIET_JOB } from './member-choices.ts';
import type { ColumnMapping } from './member-columns.ts';
import type { UndecidedChoice } from './member-status.ts';
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
import type { Encoding } from './source/encoding.ts';

/** How a member list is read and imported. */
export interface MemberImportOptions {
  /** Whether dates such as 03/04/2024 begin with the day or the month. Default: as the dates of the file show. */
  dateOrder?: DateOrder | undefined;
  /** Create the teams that do not exist yet. Otherwise their lines are skipped. */
  createTeams?: boolean | undefined;
  /** Email members about their memberships. */
  sendEmails?: boolean | undefined;
  /** The encoding of a file that is not Unicode. Default: what it looks like. */
  encoding?: Encoding | undefined;
  /** The field of each column. Default: as their names say. */
  mapping?: ColumnMapping | undefined;
  /** How leads and people who are not approved are imported. Default: their lines are problems. */
  undecided?: UndecidedChoice | undefined;
}

interface MemberImport extends MemberImportOptions, ImportOptions {
  /** A CSV file with a header. */
  file: Uint8Array;
  /** Added to the lines of the report, if the file is a part of a larger one. */
  lineOffset?: number | undefined;
  /** Import nothing if any line is skipped, unless it is a dry run. */
  rejectProblems?: boolean | undefined;
}

/** A line that can be imported. */
interface NewMember extends ListedMember {
  teamId: string | null;
  planId: string | null;
}

/**
 * Imports members whose email address is new, with their teams and memberships, in one transaction. Existing members do not change.
 *
 * @throws BAD_REQUEST for an invalid file; VALIDATION, reason IMPORT_HAS_PROBLEMS, with `rejectProblems`
 */
export async function importMembers(ctx: Context, input: MemberImport): Promise<ImportReport> {
  const list = await readMembers(input.file, input);
  const { people, skippedRows, columns, dateOrder } = list;
  const report = await importListedMembers(ctx, people, { ...input, skippedRows });
  return { ...report, notes: [...list.notes, ...report.notes], columns, dateOrder };
}

interface ListImport extends MemberImportOptions, ImportOptions {
  /** The rows that could not be read. */
  skippedRows?: ImportRow[];
  rejectProblems?: boolean | undefined;
}

/** The same for people of a list that was read already. No two of them have the same email address. */
export async function importListedMembers(
  ctx: Context,
  listed: ListedMember[],
  { skippedRows = [], ...input }: ListImport,
): Promise<ImportReport> {
  const today = await getToday(ctx);
  const people = listed.map((person) => endMembership(person, today));
  const dryRun = input.dryRun ?? false;
  const quiet = input.sendEmails ? ctx : { ...ctx, job: QUIET_JOB };
  return runImport(quiet, dryRun, async (ctx) => {
    const existing = await findKnownEmails(ctx.db, people);
    const newPeople = people.filter(({ email }) => !existing.has(email));
    const choices = await findChoices(ctx, newPeople, input.createTeams ?? false);
    const { members, problems } = resolveChoices(newPeople, choices);
    const skipped = [...skippedRows, ...problems];
    if (input.rejectProblems && !dryRun && skipped.length > 0)
      throw hasProblems(skipped, members.length);
    const added = await insertMembers(ctx, members, input.onProgress);
    // Members that someone else added while the import ran.
    const addedElsewhere = await findKnownEmails(
      ctx.db,
      members.filter(({ email }) => !added.has(email)),
    );
    const known = new Set([...existing, ...addedElsewhere]);
    const unresolved = new Set(problems.map(({ line }) => line));
    const rows = people
      .filter(({ line }) => !unresolved.has(line))
      .map((person) => toMemberRow(person, added, known));
    return buildReport(dryRun, [...skipped, ...rows], choices.notes);
  });
}

/** Someone whose last day is over is a former member. */
const endMembership = (person: ListedMember, today: CalendarDate): ListedMember =>
  person.endsOn !== null && person.endsOn < today ? { ...person, status: 'former' } : person;

/** Finds the team and the plan of each person. */
function resolveChoices(
  people: ListedMember[],
  { teams, plans }: Choices,
): { members: NewMember[]; problems: ImportRow[] } {
  const members: NewMember[] = [];
  const problems: ImportRow[] = [];
  for (const person of people) {
    const team = person.team === null ? null : teams.get(person.team.toLowerCase());
    const plan = person.plan === null ? null : plans.get(person.plan.toLowerCase());
    const reasons = [
      team === undefined && `There is no team named "${person.team}".`,
      plan === undefined && `There is no plan named "${person.plan}".`,
      person.startsOn &&
        person.endsOn &&
        person.endsOn < person.startsOn &&
        'The end date is before the start date.',
      plan && !plan.active && `New members cannot get the plan "${plan.name}": it is inactive.`,
    ].filter((reason) => typeof reason === 'string');
    if (reasons.length > 0) problems.push(toSkippedRow(person, reasons.join(' ')));
    else members.push({ ...person, teamId: team?.id ?? null, planId: plan?.id ?? null });
  }
  return { members, problems };
}

const MAX_REPORTED_PROBLEMS = 50;

const hasProblems = (skipped: ImportRow[], correct: number) =>
  new DomainError(
    'VALIDATION',
    `${skipped.length} ${skipped.length === 1 ? 'line cannot' : 'lines cannot'} be imported, so nothing was. Correct the file, or import only the ${correct} correct lines.`,
    {
      reason: 'IMPORT_HAS_PROBLEMS',
      problems: skipped
        .toSorted((a, b) => a.line - b.line)
        .slice(0, MAX_REPORTED_PROBLEMS)
        .map(({ line, reason }) => ({ line, reason })),
    },
  );

const FORMER_WITHOUT_PLAN = 'A former member gets no membership, so the plan was left out.';

function toMemberRow(person: ListedMember, added: Set<string>, known: Set<string>): ImportRow {
  const { line, what, email } = person;
  if (added.has(email)) {
    const isWithout = person.status === 'former' && person.plan !== null;
    return { line, what, outcome: 'imported', ...(isWithout && { reason: FORMER_WITHOUT_PLAN }) };
  }
  if (!known.has(email))
    return toSkippedRow(person, 'It could not be saved this time. Import the file again.');
  return { line, what, outcome: 'unchanged', reason: 'A member already has this email address.' };
}

async function findKnownEmails(
  db: Context['db'],
  people: { email: string }[],
): Promise<Set<string>> {
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
  people: NewMember[],
  onProgress?: OnProgress,
): Promise<Set<string>> {
  const today = await getToday(ctx);
  const write = async (batch: NewMember[]) => {
    const added = await ctx.db.member.createManyAndReturn({
      data: batch.map(({ line, what, team, plan, planId, startsOn, endsOn, ...person }) => ({
        ...person,
        code: generateMemberCode(),
        ...(startsOn && { createdAt: toMemberSince(ctx, startsOn) }),
      })),
      select: { id: true, email: true },
      skipDuplicates: true,
    });
    await recordCreated(
      ctx,
      'member.created',
      added.map(({ id }) => id),
    );
    await insertMemberships(ctx, batch, {
      idByEmail: new Map(added.map(({ id, email }) => [email, id])),
      today,
    });
    return added;
  };
  const added = await mapInBatches(people, write, onProgress);
  return new Set(added.map(({ email }) => email));
}

/** Noon in UTC is on the same day almost everywhere. A date in the future is only that of the membership. */
function toMemberSince(ctx: Context, startsOn: CalendarDate): Date {
  const noon = new Date(`${startsOn}T12:00:00Z`);
  return noon < ctx.now() ? noon : ctx.now();
}

/** Creates the memberships of the members who were just added. Without a start date, they start today. */
async function insertMemberships(
  ctx: Context,
  people: NewMember[],
  { idByEmail, today }: { idByEmail: Map<string, string>; today: CalendarDate },
): Promise<void> {
  const data = people.flatMap(({ email, planId, status, startsOn, endsOn }) => {
    const memberId = idByEmail.get(email);
    if (memberId === undefined || planId === null || status === 'former') return [];
    return [
      {
        memberId,
        planId,
        startsOn: toDateColumn(startsOn ?? today),
        endsOn: endsOn && toDateColumn(endsOn),
      },
    ];
  });
  if (data.length === 0) return;
  const created = await ctx.db.membership.createManyAndReturn({ data, select: { id: true } });
  await recordCreated(
    ctx,
    'membership.created',
    created.map(({ id }) => id),
  );
}
