import { v7 } from 'uuid';
import { type Context, runInTransaction } from '../../../context.ts';
import { createKeyedQueue } from '../../../core/keyed-queue.ts';
import { MINUTE_MS } from '../../../core/time/time-zone.ts';
import { isExclusionViolation } from '../../../db/constraint-errors.ts';
import {
  hasSubscribers,
  publishDomainEvent,
} from '../../../integrations/webhooks/publish-event.ts';
import {
  authorizeOverride,
  type BookingInput,
  type Holder,
  resolveHolder,
  toBookingRange,
} from '../booking-input.ts';
import { lockMemberships } from '../entitlements.ts';
import {
  assertNoViolations,
  chooseInitialStatus,
  type Evaluation,
  type EvaluationRequest,
  evaluateBooking,
  type PreviewResult,
  slotConflict,
  toPreview,
} from '../evaluate-booking.ts';
import { getWritableBooking } from '../queries/list-bookings.ts';
import type { Booking } from '../types.ts';

type BookingRequest = EvaluationRequest & { holder: Holder } & Pick<
    BookingInput,
    'title' | 'notes'
  >;

/** What `create` would answer, without doing it: may it be had, why not, what does it cost. Throws as `create` does for what can be no booking at all. */
export async function previewBooking(ctx: Context, input: BookingInput): Promise<PreviewResult> {
  return toPreview(ctx, await evaluateBooking(ctx, toBookingRequest(ctx, input)));
}

/**
 * Books a resource for [startsAt, endsAt). Throws CONFLICT, reason SLOT_TAKEN, with the nearest free slots; VALIDATION
 * for a rule of the resource, the location or the plan; NOT_FOUND for the resource or the member.
 */
export async function createBooking(ctx: Context, input: BookingInput): Promise<Booking> {
  const request = toBookingRequest(ctx, input);
  const considered = await evaluateBooking(ctx, request);
  assertNoViolations(ctx, considered);
  const { membershipIds } = considered.entitlements;
  const [membershipId] = membershipIds;
  // Where nobody is told, one statement does it all.
  if (membershipId === undefined && !(await hasSubscribers(ctx, 'booking.created')))
    return getWritableBooking(ctx, await insertBooking(ctx, request, considered));
  const book = () => insertAndPublish(ctx, request, membershipIds);
  const alone = ctx.isInTransaction || membershipId === undefined;
  return getWritableBooking(
    ctx,
    await (alone ? book() : serializeByMembership(membershipId, book)),
  );
}

const serializeByMembership = createKeyedQueue();

/** What a plan has left is looked at while nobody else can take from it. */
const insertAndPublish = (
  ctx: Context,
  request: BookingRequest,
  membershipIds: string[],
): Promise<string> =>
  runInTransaction(ctx, async (tx) => {
    await lockMemberships(tx, membershipIds);
    const id = await insertBooking(tx, request, await evaluateBooking(tx, request));
    await publishDomainEvent(tx, 'booking.created', async () => [
      { booking: await getWritableBooking(tx, id) },
    ]);
    return id;
  });

function toBookingRequest(ctx: Context, input: BookingInput): BookingRequest {
  const { resourceId, title, notes } = input;
  return {
    resourceId,
    title,
    notes,
    holder: resolveHolder(ctx.viewer, input),
    override: authorizeOverride(ctx.viewer, input.override),
    span: toBookingRange(input, ctx.now()),
  };
}

const MAX_INSERT_ATTEMPTS = 3;

/** The database has the last word: who comes second is told what came first. */
async function insertBooking(
  ctx: Context,
  request: BookingRequest,
  considered: Evaluation,
): Promise<string> {
  let current = considered;
  for (let attempt = 1; ; attempt += 1) {
    assertNoViolations(ctx, current);
    const row = toBookingRow(ctx, request.holder, current, request);
    if (await tryInsertBooking(ctx, row, current)) return row.id;
    current = await evaluateBooking(ctx, request);
    if (attempt === MAX_INSERT_ATTEMPTS) throw slotConflict(ctx, current);
  }
}

/** False where something else has the slot by now. */
async function tryInsertBooking(
  ctx: Context,
  row: BookingRow,
  current: Evaluation,
): Promise<boolean> {
  try {
    // DO NOTHING covers the exclusion constraint, and leaves the transaction whole.
    const { count } = await ctx.db.booking.createMany({ data: row, skipDuplicates: true });
    return count === 1;
  } catch (error) {
    // It does not cover an event that was published meanwhile: that breaks the transaction off, if there is one.
    if (!isExclusionViolation(error)) throw error;
    if (ctx.isInTransaction) throw slotConflict(ctx, current);
    return false;
  }
}

type BookingRow = ReturnType<typeof toBookingRow>;

/** A booking as it is written. */
export function toBookingRow(
  ctx: Context,
  { memberId, guest }: Holder,
  considered: Evaluation,
  { title, notes }: Pick<BookingInput, 'title' | 'notes'>,
) {
  return {
    id: v7(),
    resourceId: considered.schedule.resource.id,
    locationId: considered.schedule.location.id,
    memberId,
    guestName: guest?.name ?? null,
    guestEmail: guest?.email ?? null,
    status: chooseInitialStatus(ctx, considered),
    title: title ?? null,
    notes: notes ?? null,
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
    ...toBookingColumns(considered),
  };
}

/** When it is, what it takes from whom, and what it costs. */
export function toBookingColumns({ requested, schedule, entitlement, quote }: Evaluation) {
  return {
    startsAt: new Date(requested.start),
    endsAt: new Date(requested.end),
    occupiedUntil: new Date(requested.end + schedule.resource.bufferMinutes * MINUTE_MS),
    priceAmount: quote.price.amount,
    priceCurrency: quote.price.currency,
    membershipId: entitlement.membershipId,
    usageMonth:
      entitlement.membershipId === null ? null : new Date(`${entitlement.month}T00:00:00Z`),
    includedMinutes: quote.includedMinutes,
  };
}
