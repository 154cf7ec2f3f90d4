import type { Context } from '../../../context.ts';
import {
  orderByNewest,
  type Page,
  type PageRequest,
  toPage,
  whereOlderThanCursor,
} from '../../../core/pagination.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import { TITLE_INCLUDE, toSubjectTitle } from '../attempt-log.ts';
import type { CheckInResult, CheckInSubject } from '../types.ts';

/** One attempt as staff and tokens see it, with any result. */
export interface CheckInAttempt {
  id: string;
  result: CheckInResult;
  /** The full name. */
  label: string | null;
  subject: { type: CheckInSubject; title: string | null } | null;
  location: { id: string; name: string; timeZone: string };
  /** When it happened. */
  at: Date;
  /** When the server recorded it. */
  recordedAt: Date;
  checkedOutAt: Date | null;
  autoCheckOutAt: Date | null;
  autoCheckedOut: boolean;
  /** The kind of the caller, and the id if there is one. */
  actor: string;
}

export interface AttemptFilter {
  locationId?: string | undefined;
  /** True: only people who are checked in. False: all others. */
  present?: boolean | undefined;
  result?: CheckInResult | undefined;
  /** Happened in [from, to). */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Lists attempts by the time of recording, newest first. The API checks the scope check-ins:read. */
export async function listAttempts(
  ctx: Context,
  filter: AttemptFilter,
  page: PageRequest,
): Promise<Page<CheckInAttempt>> {
  const rows = await ctx.db.checkIn.findMany({
    where: { AND: [toAttemptWhere(ctx, filter), whereOlderThanCursor(page)] },
    orderBy: orderByNewest,
    take: page.limit + 1,
    include: { ...TITLE_INCLUDE, location: { select: { id: true, name: true, timeZone: true } } },
  });
  const items = rows.map(
    (row): CheckInAttempt => ({
      id: row.id,
      result: row.result,
      label: row.label,
      subject: row.subject && { type: row.subject, title: toSubjectTitle(row) },
      location: row.location,
      at: row.occurredAt,
      recordedAt: row.createdAt,
      checkedOutAt: row.checkedOutAt,
      autoCheckOutAt: row.autoCheckOutAt,
      autoCheckedOut: row.autoCheckedOut,
      actor: row.actor,
    }),
  );
  return toPage(items, page.limit, ({ recordedAt, id }) => [recordedAt.toISOString(), id]);
}

function toAttemptWhere(
  { now }: Context,
  { locationId, present, result, from, to }: AttemptFilter,
): Prisma.CheckInWhereInput {
  const checkedIn = {
    result: 'admitted',
    checkedOutAt: null,
    autoCheckOutAt: { gt: now() },
  } as const;
  const notCheckedIn = [
    { result: { not: 'admitted' } },
    { checkedOutAt: { not: null } },
    { autoCheckOutAt: { lte: now() } },
  ] as const;
  return {
    AND: [
      ...(locationId ? [{ locationId }] : []),
      ...(result ? [{ result }] : []),
      ...(present === true ? [checkedIn] : []),
      ...(present === false ? [{ OR: [...notCheckedIn] }] : []),
      ...(from ? [{ occurredAt: { gte: from } }] : []),
      ...(to ? [{ occurredAt: { lt: to } }] : []),
    ],
  };
}
