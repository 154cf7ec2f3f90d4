import { v7 } from 'uuid';
import { requireAccess } from '../../../auth/viewer.ts';
import { type Context, runInTransaction } from '../../../context.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError } from '../../../errors.ts';
import { DELETED_PERSON, toDeletedAddress } from '../../../integrations/email/outbox.ts';
import { recordCreated, recordDeleted, recordUpdated } from '../../../journal/record-changes.ts';
import {
  type ErasedSubject,
  findErasedSubject,
  recordErased,
  showsMembers,
  toRedactionSql,
} from '../../../journal/record-erasures.ts';
import { cancelBooking } from '../../bookings/service/change-booking.ts';
import { toCancellableSql } from '../../bookings/types.ts';
import { generateMemberCode } from '../../members/service/members.ts';
import { findMentions, type Mention, replaceInCopies } from '../copies.ts';
import type { TableEntry } from '../table-entry.ts';
import { SUBJECT_TABLES, type SubjectTable } from '../tables.ts';
import { findDisputedOrders } from './disputed-orders.ts';
import {
  FIRST_FREE_PARAMETER,
  findPerson,
  nothingStored,
  type Person,
  type PersonInput,
  toCondition,
  toParameterValues,
  WITH_PERSON,
} from './person.ts';

export interface EraseInput extends PersonInput {
  /** Recorded without the person's name and addresses. */
  reason?: string | undefined;
  /** Whether to cancel upcoming bookings without a fee and end memberships first. */
  endContracts?: boolean | undefined;
}

/** The person's upcoming bookings and memberships. Tickets and day passes do not count: they stay valid without a name. */
export interface OpenContracts {
  bookings: number;
  memberships: number;
}

interface Erasure {
  id: string;
  createdAt: Date;
  reason: string | null;
  /** The number of changed and deleted rows by table. */
  counts: Record<string, number>;
}

export interface RecordedErasure extends Erasure {
  /** The staff user who requested it. Null for the command line, and after the account was deleted. */
  requestedById: string | null;
}

export interface ErasureResult extends RecordedErasure {
  /** Public texts that still name the person. Staff must change them. */
  mentions: Mention[];
  /** Other addresses of this member's orders and an unconfirmed new address, which were not searched. */
  otherEmails: string[];
  /** The codes of the person's orders whose payment is disputed. They no longer say who bought and who came. */
  disputedOrders: string[];
}

/**
 * Erases a person from all tables in one transaction. Bookings, orders, tickets, payments, visits and memberships stay for
 * accounting, without the name. Rows that are added concurrently with the same address need another erasure.
 *
 * It must be one transaction, however long: the rows of a person are found through each other, so that the next erasure would not find
 * what an interrupted one has left. It also promises to erase everything or, as for a staff account, nothing.
 *
 * @throws NOT_FOUND for an unknown member or a person without rows; CONFLICT, reason STAFF_ACCOUNT or CONTRACTS_OPEN;
 * FORBIDDEN, reason OWNER_NEEDED, for a disabled staff account.
 *
 * @example
 * await erasePersonalData(ctx, { email: 'nora@example.org' });
 */
export const erasePersonalData = (ctx: Context, input: EraseInput): Promise<ErasureResult> =>
  runInTransaction(ctx, async (ctx) => {
    await lockMembers(ctx, input);
    const person = await findPerson(ctx, input);
    await assertNoActiveStaffAccount(ctx, person);
    await settleContracts(ctx, person, input.endContracts ?? false);
    const id = v7();
    const mentions = await findMentions(ctx, person);
    const disputedOrders = await findDisputedOrders(ctx, person);
    await recordDeletedFeeds(ctx, person);
    await recordDeletedOptOuts(ctx, person);
    const counts: Record<string, number> = {};
    const erased = new Map<ErasedSubject, string[]>();
    for (const table of SUBJECT_TABLES) {
      const { count, ids } = await eraseRows(ctx, person, table, id);
      if (count > 0) counts[table.name] = count;
      const subject = findErasedSubject(table.name);
      if (subject && ids.length > 0) erased.set(subject, ids);
    }
    for (const [subject, ids] of erased) await recordErased(ctx, subject, ids);
    await endRelations(ctx, person, id);
    const createdAt = ctx.now();
    const userId = ctx.viewer.kind === 'staff' ? ctx.viewer.id : null;
    const reason = input.reason ?? null;
    await ctx.db.erasure.create({ data: { id, userId, reason, counts, createdAt } });
    await recordCreated(ctx, 'erasure.created', [id]);
    // Copies are replaced last, since the steps before queue webhook messages, and the reason can name the person.
    for (const [table, ids] of Object.entries(await replaceInCopies(ctx, person))) {
      if (table === 'erasures') continue;
      counts[table] = (counts[table] ?? 0) + ids.length;
      const subject = findErasedSubject(table);
      if (subject) await recordErased(ctx, subject, ids);
    }
    if (Object.keys(counts).length === 0) throw nothingStored();
    const erasure = await ctx.db.erasure.update({ where: { id }, data: { counts } });
    return {
      id,
      createdAt,
      requestedById: ctx.viewer.kind === 'staff' ? ctx.viewer.id : null,
      reason: erasure.reason,
      counts,
      mentions,
      otherEmails: person.otherEmails,
      disputedOrders,
    };
  });

/** Finds upcoming bookings and memberships that have not ended. */
export async function findOpenContracts(ctx: Context, person: Person): Promise<OpenContracts> {
  return {
    bookings: (await findOpenBookings(ctx, person)).length,
    memberships: (await findOpenMemberships(ctx, person)).length,
  };
}

/** Locks the members, so that no booking or membership is created for them in the meantime. */
const lockMembers = ({ db }: Context, { email, memberId }: PersonInput) =>
  db.$queryRaw`
    SELECT 1 FROM members
    WHERE email = ${email?.trim().toLowerCase() ?? null}::text OR id::text = ${memberId ?? null}::text
    ORDER BY id FOR UPDATE`;

/**
 * Rejects active staff accounts, which must be disabled first, and disabled ones unless the viewer is an owner. The
 * lock prevents the account from being enabled in the meantime.
 *
 * @throws CONFLICT, reason STAFF_ACCOUNT; FORBIDDEN, reason OWNER_NEEDED
 */
async function assertNoActiveStaffAccount(
  { db, viewer }: Context,
  { parameters }: Person,
): Promise<void> {
  const staff = await db.$queryRaw<{ isDisabled: boolean }[]>`
    SELECT disabled_at IS NOT NULL AS "isDisabled" FROM users
    WHERE id = ANY (${parameters.users}::uuid[]) AND role IS NOT NULL ORDER BY id FOR UPDATE`;
  if (staff.length === 0) return;
  if (staff.every(({ isDisabled }) => isDisabled)) return requireAccess(viewer, 'staff:owner');
  throw new DomainError(
    'CONFLICT',
    'This address belongs to a staff account. Disable the account first, then erase the person.',
    { reason: 'STAFF_ACCOUNT' },
  );
}

async function settleContracts(ctx: Context, person: Person, endContracts: boolean): Promise<void> {
  const bookings = await findOpenBookings(ctx, person);
  const memberships = await findOpenMemberships(ctx, person);
  if (bookings.length + memberships.length === 0) return;
  if (!endContracts) throw contractsOpen(bookings.length, memberships.length);
  for (const { id } of bookings) await cancelBooking(ctx, id, { waiveFee: true });
  // A membership that has not started ends on its first day. Its member is former by then, so it grants nothing.
  const ids = memberships.map(({ id }) => id);
  await recordUpdated(
    ctx,
    'membership.ended',
    ids,
    () => ctx.db.$executeRaw`
      UPDATE memberships SET ends_on = greatest(starts_on, ${ctx.now()}::timestamptz::date), updated_at = ${ctx.now()}
      WHERE id = ANY (${ids}::uuid[])`,
  );
}

function contractsOpen(bookings: number, memberships: number): DomainError {
  const contracts: string[] = [];
  if (bookings > 0)
    contracts.push(`${bookings} upcoming ${bookings === 1 ? 'booking' : 'bookings'}`);
  if (memberships > 0) contracts.push('a current or future membership');
  return new DomainError(
    'CONFLICT',
    `This person still has ${contracts.join(' and ')}. Cancel or end them first, or let Foyer do this: use endContracts, the checkbox in the panel, or --end-contracts on the command line.`,
    { reason: 'CONTRACTS_OPEN', bookings, memberships },
  );
}

/** Finds the bookings that can be cancelled and are not over. */
const findOpenBookings = (
  { pipelinedSql, now }: Context,
  { parameters }: Person,
): Promise<{ id: string }[]> => pipelinedSql(FIND_OPEN_BOOKINGS, [parameters.bookings, now()]);

const FIND_OPEN_BOOKINGS = prepareStatement(`
  SELECT b.id FROM bookings b
  WHERE b.id = ANY ($1::uuid[]) AND ${toCancellableSql('b', '$2::timestamptz')} AND b.ends_at > $2::timestamptz
  ORDER BY b.id`);

/** A membership that ends today counts as ended. */
const findOpenMemberships = ({ db, now }: Context, { memberIds }: Person) =>
  db.membership.findMany({
    where: {
      memberId: { in: memberIds },
      OR: [{ endsOn: null }, { endsOn: { gt: now() } }],
    },
    select: { id: true },
    orderBy: { id: 'asc' },
  });

/** Records the calendar feeds that are about to be deleted: those of the person's bookings, and those that the person made. */
async function recordDeletedFeeds(
  ctx: Context,
  { memberIds, parameters: { users } }: Person,
): Promise<void> {
  const feeds = await ctx.db.calendarFeed.findMany({
    where: { OR: [{ memberId: { in: memberIds } }, { createdById: { in: users } }] },
    select: { id: true },
  });
  const ids = feeds.map(({ id }) => id);
  await recordDeleted(ctx, 'calendar_feed.deleted', ids);
}

/** Records the opt-outs that are about to be deleted. The values are erased with the journal. */
async function recordDeletedOptOuts(ctx: Context, { parameters }: Person): Promise<void> {
  const optOuts = await ctx.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM email_opt_outs
    WHERE recipient_key IN (SELECT mail_recipient_key(email) FROM unnest(${parameters.emails}::text[]) email)
    ORDER BY id`;
  const ids = optOuts.map(({ id }) => id);
  await recordDeleted(ctx, 'email_opt_out.deleted', ids);
}

/**
 * Erases the person from a table. Returns the number of rows that were changed or deleted, and the ids of those whose loss other
 * programs must learn of: with personal data, or with the name of the member.
 */
async function eraseRows(
  ctx: Context,
  { parameters }: Person,
  table: SubjectTable,
  erasureId: string,
): Promise<{ count: number; ids: string[] }> {
  const { name, isDeleted } = table;
  const find = toCondition(table, parameters);
  const sets = isDeleted ? [] : toAssignments(table);
  const subject = isDeleted ? undefined : findErasedSubject(name);
  const isRead = subject !== undefined && showsMembers(subject);
  if (!isDeleted && sets.length === 0 && !isRead) return { count: 0, ids: [] };
  const returning = `RETURNING ${subject ? 't.id' : 'NULL::uuid AS id'}`;
  const change = isDeleted
    ? `DELETE FROM ${name} t USING p WHERE ${find} ${returning}`
    : sets.length === 0
      ? `SELECT t.id FROM ${name} t, p WHERE ${find}`
      : `UPDATE ${name} t SET ${sets.join(', ')} FROM p, replacement WHERE ${find} ${returning}`;
  const [row] = await ctx.lockingSql<{ count: number; ids: string[] | null }>(
    {
      text: `${WITH_PERSON}, replacement AS (SELECT $${FIRST_FREE_PARAMETER}::text AS address, $${FIRST_FREE_PARAMETER + 1}::text AS code),
        changed AS (${change})
        SELECT count(*)::int AS count, array_agg(id ORDER BY id) FILTER (WHERE id IS NOT NULL) AS ids FROM changed`,
    },
    [...toParameterValues(parameters), toDeletedAddress(erasureId), generateMemberCode()],
  );
  const { count = 0, ids } = row ?? {};
  return { count: isDeleted || sets.length > 0 ? count : 0, ids: ids ?? [] };
}

/** Returns the SQL assignments that erase the columns of a table. Empty columns stay empty. */
function toAssignments({ columns }: Pick<TableEntry, 'columns'>): string[] {
  const isJournal = Object.values(columns).includes('fields');
  const redaction = isJournal ? toRedactionSql('p.emails || p.only_names') : [];
  const others = Object.entries(columns).flatMap(([column, kind]) => {
    switch (kind) {
      case 'name':
        return [`${column} = CASE WHEN t.${column} IS NOT NULL THEN '${DELETED_PERSON}' END`];
      case 'address':
        return [`${column} = CASE WHEN t.${column} IS NOT NULL THEN replacement.address END`];
      case 'clear':
        return [`${column} = NULL`];
      case 'code':
        return [`${column} = replacement.code`];
      default:
        return [];
    }
  });
  return [...others, ...redaction];
}

/**
 * Members become former members without a team, waitlist entries end, and changes that the person made no longer say from
 * which address. The names and email addresses have been erased before, so what is recorded does not contain them.
 */
async function endRelations(
  ctx: Context,
  { memberIds, parameters }: Person,
  erasureId: string,
): Promise<void> {
  const { db } = ctx;
  await db.change.updateMany({
    where: { actorId: { in: [...memberIds, ...parameters.users] } },
    data: { address: null },
  });
  const staff = await db.user.findMany({
    where: { id: { in: parameters.users }, role: { not: null } },
    select: { id: true },
  });
  const staffIds = staff.map(({ id }) => id);
  await recordDeleted(ctx, 'staff.deleted', staffIds);
  await db.user.deleteMany({ where: { id: { in: parameters.users } } });
  const waiting = await db.waitlistEntry.findMany({
    where: { email: toDeletedAddress(erasureId), status: { in: ['waiting', 'offered'] } },
    select: { id: true },
  });
  const entryIds = waiting.map(({ id }) => id);
  await recordUpdated(ctx, 'waitlist_entry.withdrawn', entryIds, () =>
    db.waitlistEntry.updateMany({
      where: { id: { in: entryIds } },
      data: { status: 'withdrawn' },
    }),
  );
  const data = { status: 'former', teamId: null, updatedAt: ctx.now() } as const;
  for (const id of memberIds) {
    await recordUpdated(ctx, 'member.updated', [id], () =>
      db.member.update({ where: { id }, data }),
    );
  }
}
