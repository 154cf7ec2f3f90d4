import type { Context } from '../context.ts';
import type { CalendarDate } from '../core/time/calendar-date.ts';
import type { Member } from '../db/generated/client.ts';
import { DomainError } from '../errors.ts';
import { runImport } from '../features/imports/service/run-import.ts';
import { mapInBatches } from './batches.ts';
import type { DateOrder } from './dates.ts';
import { insertMembers } from './insert-members.ts';
import { explainCauses, isSkipped, type SkippedLine } from './line-causes.ts';
import { type Choices, findChoices, getToday, QUIET_JOB } from './member-choices.ts';
import type { ColumnMapping } from './member-columns.ts';
import type { UndecidedChoice } from './member-status.ts';
import { formatRestoredPostcode, restoreZeros } from './postcodes.ts';
import { type ListedMember, readMembers } from './read-members.ts';
import { openImport, toCreated } from './record-import.ts';
import {
  buildReport,
  type ImportOptions,
  type ImportReport,
  type ImportRow,
  toSkippedRow,
} from './report.ts';
import { resolveChoices, resolveKnown } from './resolve-members.ts';
import type { Encoding } from './source/encoding.ts';
import { type KnownMember, updateKnownMember } from './update-members.ts';

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
  /** Change members whose email address is known, as far as the file has their details. */
  update?: boolean | undefined;
  /** Which plans the names of the file stand for. Default: those of these names. */
  plans?: PlanChoice[] | undefined;
}

/** Which plan of Foyer a name in a file stands for. */
interface PlanChoice {
  name: string;
  /** The name of the plan. Null for none. */
  plan: string | null;
}

interface MemberImport extends MemberImportOptions, ImportOptions {
  /** A CSV file with a header. */
  file: Uint8Array;
  /** Added to the lines of the report, if the file is a part of a larger one. */
  lineOffset?: number | undefined;
  /** Import nothing if any line is skipped, unless it is a dry run. */
  rejectProblems?: boolean | undefined;
  /** The import that the part belongs to. Default: an import of its own. */
  importId?: string | undefined;
}

/**
 * Imports members whose email address is new, with their teams and memberships, in one transaction. Existing members do not change,
 * unless `update` is set.
 *
 * @throws BAD_REQUEST for an invalid file; VALIDATION, reason IMPORT_HAS_PROBLEMS, with `rejectProblems`; NOT_FOUND and CONFLICT,
 *   reason IMPORT_ENDED, for the import
 */
export async function importMembers(ctx: Context, input: MemberImport): Promise<ImportReport> {
  const timeZone = await findCommonZone(ctx);
  const list = await readMembers(input.file, { ...input, timeZone });
  const { people, skippedRows, columns, dateOrder } = list;
  const report = await importListedMembers(ctx, people, { ...input, skippedRows });
  return { ...report, notes: [...list.notes, ...report.notes], columns, dateOrder };
}

/** Returns the zone of all locations, or null if they have several. */
export async function findCommonZone({ db }: Context): Promise<string | null> {
  const [zone, ...others] = await db.location.findMany({
    distinct: 'timeZone',
    select: { timeZone: true },
  });
  return others.length === 0 ? (zone?.timeZone ?? null) : null;
}

interface ListImport extends MemberImportOptions, ImportOptions {
  /** The rows that could not be read. */
  skippedRows?: SkippedLine[];
  /** The lines that earlier parts of the list have skipped. */
  skippedBefore?: ReadonlySet<number>;
  rejectProblems?: boolean | undefined;
  importId?: string | undefined;
}

/** The same for people of a list that was read already. No two of them have the same email address. */
export async function importListedMembers(
  ctx: Context,
  listed: ListedMember[],
  { skippedRows = [], skippedBefore, update = false, ...input }: ListImport,
): Promise<ImportReport> {
  const today = await getToday(ctx);
  const resolvedPlans = replacePlans(listed, input.plans ?? []);
  const dryRun = input.dryRun ?? false;
  const quiet = input.sendEmails ? ctx : { ...ctx, job: QUIET_JOB };
  return runImport(quiet, dryRun, async (ctx) => {
    const writer = dryRun ? null : await openImport(ctx, 'members', { ...input, update });
    const existing = await findKnownMembers(ctx.db, resolvedPlans);
    const people = resolvedPlans
      .map((person) => endMembership(person, today))
      .map((person) => restorePostcode(person, existing.get(person.email)));
    const newPeople = people.filter(({ email }) => !existing.has(email));
    const named = update ? people : newPeople;
    const choices = await findChoices(ctx, named, input.createTeams ?? false);
    const owners = await findNumberOwners(ctx.db, named);
    const changing = new Map((update ? people : []).map((person) => [person.email, person]));
    const resolved = { ...choices, owners, changing };
    const { members, problems } = resolveChoices(newPeople, resolved);
    const known = update ? resolveKnown(people, existing, resolved) : { members: [], problems: [] };
    const currentPlans = await findCurrentPlans(ctx, known.members, today);
    const skipped = [...skippedRows, ...problems, ...known.problems];
    if (input.rejectProblems && !dryRun && skipped.length > 0) {
      const explained = explainCauses(skipped, skippedBefore);
      throw hasProblems(explained, members.length + known.members.length);
    }
    const added = await insertMembers(ctx, members, input.onProgress);
    const updated = new Map<number, Awaited<ReturnType<typeof updateKnownMember>>>();
    for (const member of known.members)
      updated.set(
        member.person.line,
        await updateKnownMember(ctx, { ...member, plans: currentPlans(member.member) }),
      );
    // Members that someone else added while the import ran.
    const addedElsewhere = await findKnownMembers(
      ctx.db,
      members.filter(({ email }) => !added.ids.has(email)),
    );
    const emails = new Set([...existing.keys(), ...addedElsewhere.keys()]);
    const unresolved = new Set(skipped.map(({ line }) => line));
    const rows = people
      .filter(({ line }) => !unresolved.has(line))
      .map((person) => updated.get(person.line)?.row ?? toMemberRow(person, added.ids, emails));
    const report = {
      ...buildReport(dryRun, explainCauses([...skipped, ...rows], skippedBefore), choices.notes),
      unknownPlans: listUnknownPlans(newPeople, choices),
    };
    // Also what someone else changed while the import ran.
    if (input.rejectProblems && !dryRun && report.skipped > 0)
      throw hasProblems(report.rows.filter(isSkipped), report.rows.length - report.skipped);
    const idByLine = new Map(
      people.flatMap(({ line, email }) => {
        const id = added.ids.get(email) ?? existing.get(email)?.id;
        return id === undefined ? [] : [[line, id] as const];
      }),
    );
    return (
      (await writer?.write(report, (row) => idByLine.get(row.line), [
        ...choices.createdTeamIds.map((id) => toCreated('team', id)),
        ...[...added.ids.values()].map((id) => toCreated('member', id)),
        ...added.membershipIds.map((id) => toCreated('membership', id)),
        ...[...updated.values()].flatMap(({ change }) => change ?? []),
      ])) ?? report
    );
  });
}

function replacePlans(people: ListedMember[], choices: PlanChoice[]): ListedMember[] {
  const planByName = new Map(choices.map(({ name, plan }) => [name.toLowerCase(), plan]));
  return people.map((person) => {
    const chosen = person.plan === null ? undefined : planByName.get(person.plan.toLowerCase());
    return chosen === undefined ? person : { ...person, plan: chosen };
  });
}

/** The plans of the file that new members cannot get, each once. */
const listUnknownPlans = (people: ListedMember[], { plans }: Choices): string[] => [
  ...new Map(
    people
      .flatMap(({ plan }) => plan ?? [])
      .filter((plan) => !plans.get(plan.toLowerCase())?.active)
      .map((plan) => [plan.toLowerCase(), plan]),
  ).values(),
];

/** Finds the plans that members have today or later, themselves or through their team. */
async function findCurrentPlans({ db }: Context, known: KnownMember[], today: CalendarDate) {
  const holders = known.filter(({ person }) => person.plan !== null).map(({ member }) => member);
  const memberships = await mapInBatches(holders, (batch) =>
    db.membership.findMany({
      where: {
        AND: [
          { OR: [{ endsOn: null }, { endsOn: { gte: new Date(today) } }] },
          {
            OR: [
              { memberId: { in: batch.map(({ id }) => id) } },
              { teamId: { in: batch.flatMap(({ teamId }) => teamId ?? []) } },
            ],
          },
        ],
      },
      select: { memberId: true, teamId: true, plan: { select: { name: true } } },
    }),
  );
  const byHolder = new Map<string | null, string[]>();
  for (const { memberId, teamId, plan } of memberships) {
    const holder = memberId ?? teamId;
    byHolder.set(holder, [...(byHolder.get(holder) ?? []), plan.name]);
  }
  return ({ id, teamId }: Member): string[] => [
    ...(byHolder.get(id) ?? []),
    ...(teamId === null ? [] : (byHolder.get(teamId) ?? [])),
  ];
}

/** Someone whose last day is over is a former member. */
const endMembership = (person: ListedMember, today: CalendarDate): ListedMember =>
  person.endsOn !== null && person.endsOn < today ? { ...person, status: 'former' } : person;

/** A file of their country can have lost the first digit of a postcode. */
function restorePostcode(person: ListedMember, known: Member | undefined): ListedMember {
  const postcode = restoreZeros(person.postcode, person.country ?? known?.country ?? null);
  return postcode === null
    ? person
    : { ...person, postcode, remark: formatRestoredPostcode(postcode) };
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

function toMemberRow(
  person: ListedMember,
  added: Map<string, string>,
  known: Set<string>,
): ImportRow {
  const { line, what, email } = person;
  if (added.has(email)) {
    const isWithout = person.status === 'former' && person.plan !== null;
    const remarks = [person.remark, isWithout && FORMER_WITHOUT_PLAN].filter(Boolean);
    const reason = remarks.length > 0 && { reason: remarks.join(' ') };
    return { line, what, outcome: 'imported', ...reason };
  }
  if (!known.has(email))
    return toSkippedRow(person, 'It could not be saved this time. Import the file again.');
  return { line, what, outcome: 'unchanged' };
}

async function findNumberOwners(
  db: Context['db'],
  people: ListedMember[],
): Promise<Map<string, string>> {
  const numbers = people.flatMap(({ customerNumber }) => customerNumber ?? []);
  const rows = await mapInBatches(numbers, (batch) =>
    db.member.findMany({
      where: { customerNumber: { in: batch } },
      select: { customerNumber: true, email: true },
    }),
  );
  return new Map(rows.map(({ customerNumber, email }) => [customerNumber ?? '', email]));
}

async function findKnownMembers(
  db: Context['db'],
  people: { email: string }[],
): Promise<Map<string, Member>> {
  const rows = await mapInBatches(people, (batch) =>
    db.member.findMany({ where: { email: { in: batch.map(({ email }) => email) } } }),
  );
  return new Map(rows.map((member) => [member.email, member]));
}
