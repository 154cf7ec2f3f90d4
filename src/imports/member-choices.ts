import type { Context } from '../context.ts';
import type { CalendarDate } from '../core/time/calendar-date.ts';
import { toLocalDate } from '../core/time/time-zone.ts';
import { recordCreated } from '../journal/record-changes.ts';
import type { ListedMember } from './read-members.ts';
import type { ImportNote } from './source/note.ts';

/** What the names of a file stand for, by name in lower case. */
export interface Choices {
  teams: Map<string, { id: string }>;
  plans: Map<string, { id: string; name: string; active: boolean }>;
  notes: ImportNote[];
  createdTeamIds: string[];
}

/** Changes of an import without emails have this job, and so `sendMembershipEmails` leaves them out. */
export const QUIET_JOB = 'members.import';

/** Finds the teams and plans of these people, locked until the transaction ends, and creates missing teams if asked to. */
export async function findChoices(
  ctx: Context,
  people: ListedMember[],
  createTeams: boolean,
): Promise<Choices> {
  const plans = await findByName(
    ctx,
    'plans',
    people.flatMap(({ plan }) => plan ?? []),
  );
  const teamNames = people.flatMap(({ team }) => team ?? []);
  const teams = await findByName(ctx, 'teams', teamNames);
  if (!createTeams) return { teams, plans, notes: [], createdTeamIds: [] };
  const missing = new Map(
    teamNames
      .filter((name) => !teams.has(name.toLowerCase()))
      .map((name) => [name.toLowerCase(), name]),
  );
  const created = await ctx.db.team.createManyAndReturn({
    data: [...missing.values()].map((name) => ({ name })),
    select: { id: true, name: true },
    skipDuplicates: true,
  });
  const createdTeamIds = created.map(({ id }) => id);
  await recordCreated(ctx, 'team.created', createdTeamIds);
  return {
    teams: await findByName(ctx, 'teams', teamNames),
    plans,
    notes: created.map(({ name }) => ({ line: null, text: `The team "${name}" is created.` })),
    createdTeamIds,
  };
}

interface NamedRow {
  id: string;
  name: string;
  active: boolean;
}

const LOCKED_ROWS = {
  plans: (db: Context['db'], names: string[]) =>
    db.$queryRaw<
      NamedRow[]
    >`SELECT id, name, active FROM plans WHERE lower(name) = ANY (${names}) ORDER BY id FOR SHARE`,
  teams: (db: Context['db'], names: string[]) =>
    db.$queryRaw<
      NamedRow[]
    >`SELECT id, name, true AS active FROM teams WHERE lower(name) = ANY (${names}) ORDER BY id FOR KEY SHARE`,
};

async function findByName(
  { db }: Context,
  table: keyof typeof LOCKED_ROWS,
  names: string[],
): Promise<Map<string, NamedRow>> {
  const lowered = [...new Set(names.map((name) => name.toLowerCase()))];
  const rows = lowered.length > 0 ? await LOCKED_ROWS[table](db, lowered) : [];
  return new Map(rows.map((row) => [row.name.toLowerCase(), row]));
}

/** Today at the first location, or in UTC if there is none. */
export async function getToday({ db, now }: Context): Promise<CalendarDate> {
  const location = await db.location.findFirst({
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { timeZone: true },
  });
  return toLocalDate(now(), location?.timeZone ?? 'UTC');
}
