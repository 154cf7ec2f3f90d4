import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import type { CalendarDate } from '../core/time/calendar-date.ts';
import { prepareStatement } from '../db/prepared-statement.ts';
import { generateMemberCode } from '../features/members/service/members.ts';
import { recordCreated } from '../journal/record-changes.ts';
import { mapInBatches } from './batches.ts';
import { getToday } from './member-choices.ts';
import type { ListedMember } from './read-members.ts';
import type { OnProgress } from './report.ts';

/** A line that can be imported. */
export interface NewMember extends ListedMember {
  teamId: string | null;
  planId: string | null;
}

interface AddedMembers {
  /** By email address. */
  ids: Map<string, string>;
  membershipIds: string[];
}

// One parameter for all rows: Prisma needs a hundred kilobytes of memory for each row that it inserts.
const INSERT_MEMBERS = prepareStatement(`
  INSERT INTO members (id, name, email, phone, company, address, postcode, city, country, customer_number, status, code, team_id, created_at)
  SELECT r.id, r.name, r.email, r.phone, r.company, r.address, r.postcode, r.city, r.country, r.customer_number, r.status, r.code, r.team_id,
    coalesce(r.created_at, now())
  FROM jsonb_to_recordset($1::jsonb) r (id uuid, name text, email text, phone text, company text, address text, postcode text,
    city text, country text, customer_number text, status member_status, code text, team_id uuid, created_at timestamptz)
  ON CONFLICT DO NOTHING RETURNING id::text AS id, email`);

const INSERT_MEMBERSHIPS = prepareStatement(`
  INSERT INTO memberships (id, member_id, plan_id, starts_on, ends_on)
  SELECT r.id, r.member_id, r.plan_id, r.starts_on, r.ends_on
  FROM jsonb_to_recordset($1::jsonb) r (id uuid, member_id uuid, plan_id uuid, starts_on date, ends_on date)
  RETURNING 1 AS row`);

/** Adds members with their memberships. Leaves out those with an email address that someone else added meanwhile. */
export async function insertMembers(
  ctx: Context,
  people: NewMember[],
  onProgress?: OnProgress,
): Promise<AddedMembers> {
  const membershipIds: string[] = [];
  const today = await getToday(ctx);
  const write = async (batch: NewMember[]) => {
    // The statement reads the columns that it names.
    const rows = batch.map((person) => ({
      ...person,
      id: v7(),
      code: generateMemberCode(),
      customer_number: person.customerNumber,
      team_id: person.teamId,
      created_at: person.startsOn && toMemberSince(ctx, person.startsOn),
    }));
    const added = await ctx.lockingSql<{ id: string; email: string }>(INSERT_MEMBERS, [
      JSON.stringify(rows),
    ]);
    await recordCreated(
      ctx,
      'member.created',
      added.map(({ id }) => id),
    );
    const memberships = await insertMemberships(ctx, batch, {
      idByEmail: new Map(added.map(({ id, email }) => [email, id])),
      today,
    });
    membershipIds.push(...memberships);
    return added;
  };
  const added = await mapInBatches(people, write, onProgress);
  return { ids: new Map(added.map(({ id, email }) => [email, id])), membershipIds };
}

/** Noon in UTC is on the same day almost everywhere. A date in the future is only that of the membership. */
function toMemberSince(ctx: Context, startsOn: CalendarDate): Date {
  const noon = new Date(`${startsOn}T12:00:00Z`);
  return noon < ctx.now() ? noon : ctx.now();
}

/** Creates the memberships of the members who were just added, and returns their ids. Without a start date, they start today. */
async function insertMemberships(
  ctx: Context,
  people: NewMember[],
  { idByEmail, today }: { idByEmail: Map<string, string>; today: CalendarDate },
): Promise<string[]> {
  const rows = people.flatMap(({ email, planId, status, startsOn, endsOn }) => {
    const memberId = idByEmail.get(email);
    if (memberId === undefined || planId === null || status === 'former') return [];
    return [
      {
        id: v7(),
        member_id: memberId,
        plan_id: planId,
        starts_on: startsOn ?? today,
        ends_on: endsOn,
      },
    ];
  });
  if (rows.length === 0) return [];
  await ctx.lockingSql(INSERT_MEMBERSHIPS, [JSON.stringify(rows)]);
  const ids = rows.map(({ id }) => id);
  await recordCreated(ctx, 'membership.created', ids);
  return ids;
}
