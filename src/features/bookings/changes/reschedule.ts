import { seesAll } from '../../../auth/viewer.ts';
import { type Ctx, inTransaction } from '../../../context.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { isExclusion } from '../../../db/refusals.ts';
import { DomainError, Overtaken } from '../../../errors.ts';
import { wallClock, zonedAt } from '../../../time.ts';
import type { Booking } from '../booking.ts';
import { termsOf } from '../create.ts';
import { type Considered, consider } from '../decisions/consider.ts';
import { mayOverride, spanOf } from '../decisions/request.ts';
import { decide, type Occurrence, refuseConflicts } from '../decisions/several.ts';
import { lockMemberships } from '../decisions/terms.ts';
import {
  freeUntil,
  refuseObjections,
  statusFor,
  type Verdict,
  verdictOn,
} from '../decisions/verdict.ts';
import { endAfter, lengthOf } from '../policy/length.ts';
import type { Span } from '../policy/span.ts';
import { instantAt } from '../series/occurrences.ts';
import { LIVE, lockMeant, type SeriesScope } from '../series/scope.ts';
import { getForWriting } from '../service.ts';
import { notLive } from './cancel.ts';
import { tellHolder } from './notices.ts';

export interface Move {
  startsAt: Date;
  endsAt: Date;
  /** Others of the series move by as much of the wall clock, and last as long. */
  scope?: SeriesScope | undefined;
  override?: boolean | undefined;
}

/**
 * Moves a booking in one step: either it has the new slot, at today's price, or it keeps the old one. Throws as
 * `create` does, CONFLICT, reason NOT_LIVE, for what is cancelled or over, and VALIDATION, reason DEADLINE_PASSED,
 * for members once cancelling would cost.
 */
export async function reschedule(ctx: Ctx, id: string, move: Move): Promise<Booking> {
  const span = spanOf(move, ctx.now());
  const override = mayOverride(ctx.viewer, move.override);
  const { scope = 'this' } = move;
  return inTransaction(ctx, async (tx) => {
    const booking = await getForWriting(tx, id);
    const rows = await lockRows(tx, booking, scope);
    const named = rows.find((row) => row.id === booking.id);
    if (!named) throw notLive(await getForWriting(tx, id));
    await lockMemberships(tx, [...new Set(rows.flatMap((row) => row.membershipId ?? []))].sort());
    if (rows.length === 1) await moveOne(tx, named, span, override);
    else await moveAll(tx, rows, named, span, override, booking.location.timeZone);
    const moved = await getForWriting(tx, id);
    await tellHolder(tx, moved, 'moved', { bookings: rows.length });
    return moved;
  });
}

/** What `reschedule` of this one booking would answer, without doing it. Throws as it does for what cannot be moved at all. */
export async function previewReschedule(ctx: Ctx, id: string, move: Move): Promise<Verdict> {
  const span = spanOf(move, ctx.now());
  const override = mayOverride(ctx.viewer, move.override);
  const booking = await getForWriting(ctx, id);
  if (booking.status !== 'pending' && booking.status !== 'confirmed') throw notLive(booking);
  const holder = { memberId: booking.member?.id ?? null };
  const question = { resourceId: booking.resource.id, holder, span, override, except: [id] };
  const considered = await consider(ctx, question);
  const { resource } = considered.ground;
  refuseLate(ctx, { ...booking, startsAt: new Date(booking.startsAt), resource });
  return verdictOn(ctx, considered);
}

type Row = Awaited<ReturnType<typeof lockRows>>[number];

async function lockRows(ctx: Ctx, booking: Booking, scope: SeriesScope) {
  const inTime = seesAll(ctx.viewer, 'bookings:write')
    ? LIVE
    : Prisma.sql`${LIVE} AND b.ends_at > ${ctx.now()}`;
  return ctx.db.booking.findMany({
    where: { id: { in: await lockMeant(ctx, booking, scope, inTime) } },
    include: { resource: true, location: true },
    orderBy: { startsAt: 'asc' },
  });
}

async function moveOne(ctx: Ctx, row: Row, span: Span, override: boolean): Promise<void> {
  refuseLate(ctx, row);
  const question = { resourceId: row.resourceId, holder: row, span, override, except: [row.id] };
  const first = await consider(ctx, question);
  await lockMemberships(ctx, first.contracts.membershipIds);
  const considered = first.contracts.booker ? await consider(ctx, question) : first;
  refuseObjections(ctx, considered);
  await write(ctx, [[row, considered]]);
}

async function moveAll(
  ctx: Ctx,
  rows: Row[],
  named: Row,
  span: Span,
  override: boolean,
  timeZone: string,
): Promise<void> {
  for (const row of rows) refuseLate(ctx, row);
  const wall = (instant: number) => zonedAt(instant, timeZone).toPlainDateTime();
  const shift = wall(named.startsAt.getTime()).until(wall(span.start), { largestUnit: 'days' });
  const measure = { resource: named.resource, calendar: { timeZone } };
  const minutes = lengthOf(measure, span);
  const occurrences = rows.map((row): Occurrence => {
    const target = row.id === named.id ? wall(span.start) : wall(row.startsAt.getTime()).add(shift);
    const start = row.id === named.id ? span.start : instantAt(target, timeZone);
    return {
      span: start === null ? null : { start, end: endAfter(measure, start, minutes) },
      wall: target.toString({ smallestUnit: 'minute' }),
    };
  });
  const several = {
    resourceId: named.resourceId,
    holder: named,
    override,
    occurrences,
    except: rows.map(({ id }) => id),
  };
  const { admitted, conflicts } = await decide(ctx, several, { locking: true });
  if (conflicts.length > 0) refuseConflicts(conflicts, rows.length);
  await write(
    ctx,
    rows.map((row, index) => [row, admitted[index] as Considered]),
  );
}

interface Movable {
  status: string;
  startsAt: Date;
  resource: { freeCancellationHours: number };
  location: { timeZone: string };
}

/** Moving must not be a way around the fee. */
function refuseLate(ctx: Ctx, row: Movable): void {
  if (seesAll(ctx.viewer, 'bookings:write') || row.status === 'pending') return;
  const until = freeUntil(row.resource, row.startsAt.getTime());
  if (ctx.now().getTime() <= until) return;
  const wall = wallClock(new Date(until), row.location.timeZone);
  throw new DomainError(
    'VALIDATION',
    `This booking could be moved until ${wall} (${row.location.timeZone}). Ask at the front desk.`,
    { reason: 'DEADLINE_PASSED' },
  );
}

async function write(ctx: Ctx, moves: [Row, Considered][]): Promise<void> {
  const { db } = ctx;
  const updatedAt = ctx.now();
  try {
    // Out of each other's way first: one may go where another of them is now.
    if (moves.length > 1) {
      const ids = moves.map(([{ id }]) => id);
      await db.booking.updateMany({ where: { id: { in: ids } }, data: { status: 'cancelled' } });
    }
    for (const [row, considered] of moves) {
      const isToCome = considered.wish.start > updatedAt.getTime();
      await db.booking.update({
        where: { id: row.id },
        data: {
          ...termsOf(considered),
          // What staff approved for members was another time; whoever has come then has not come now.
          status: seesAll(ctx.viewer, 'bookings:write') ? row.status : statusFor(ctx, considered),
          checkedInAt: isToCome ? null : row.checkedInAt,
          updatedAt,
        },
      });
    }
  } catch (error) {
    throw isExclusion(error) ? new Overtaken() : error;
  }
}
