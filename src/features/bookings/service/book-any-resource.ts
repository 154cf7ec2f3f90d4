import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Money } from '../../../core/money.ts';
import type { TimeRange } from '../../../core/time/time-range.ts';
import type { InputOf } from '../../../core/validation.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound, RetryableConflict } from '../../../errors.ts';
import { MAX_BUFFER_MINUTES } from '../../spaces/rows.ts';
import {
  chooseInitialStatus,
  type Evaluation,
  evaluateSlot,
  getEntitlements,
  toDayAtResource,
  withLongestBuffer,
} from '../evaluate-booking.ts';
import { type Holder, resolveHolder, toBookingRange } from '../holder-and-times.ts';
import type { bookAnyResourceInput } from '../inputs.ts';
import { insertBooking } from '../insert-booking.ts';
import { findResourceSchedules, MAX_RESOURCES } from '../resource-schedule.ts';
import type { Booking } from '../types.ts';

type AnyResourceInput = InputOf<typeof bookAnyResourceInput>;

/**
 * Books any free resource of a type for the half-open range [startsAt, endsAt). The database decides who gets a resource, as for
 * `createBooking`: who does not get one tries the others.
 *
 * @throws CONFLICT, reason SLOT_TAKEN, if none is free; NOT_FOUND if none matches or for the member; VALIDATION for a rule that
 *   all free resources have, or for invalid times
 *
 * @example
 * await bookAnyResource(ctx, { locationId, type: 'desk', startsAt, endsAt });
 */
export async function bookAnyResource(ctx: Context, input: AnyResourceInput): Promise<Booking> {
  const holder = resolveHolder(ctx.viewer, input);
  const range = toBookingRange(input, ctx.now());
  const evaluations = await evaluateFreeResources(ctx, input, holder, range);
  const tried = new Set<Evaluation>();
  for (const candidate of orderForHolder(listBookable(ctx, evaluations, input.maxPrice), holder)) {
    tried.add(candidate);
    const { id: resourceId } = candidate.schedule.resource;
    try {
      const { title, notes } = input;
      return await insertBooking(ctx, { resourceId, holder, range, override: false, title, notes });
    } catch (error) {
      if (!isTaken(error) || (ctx.isInTransaction && error instanceof RetryableConflict))
        throw error;
    }
  }
  const others = evaluations.filter((evaluation) => !tried.has(evaluation));
  throw await explainNone(ctx, input, others);
}

/**
 * Everybody tries the first one, and then the others in turn, from a different one for each holder: those who lost one would
 * compete for the next one again.
 */
function orderForHolder([first, ...others]: Evaluation[], holder: Holder): Evaluation[] {
  if (first === undefined) return [];
  const hash = createHash('sha256').update(JSON.stringify(holder)).digest().readUInt32BE();
  const start = hash % Math.max(others.length, 1);
  return [first, ...others.slice(start), ...others.slice(0, start)];
}

const isTaken = (error: unknown) =>
  error instanceof DomainError && error.details.reason === 'SLOT_TAKEN';

/** Evaluates the range for all matching resources that nobody has booked, in two or three statements. */
async function evaluateFreeResources(
  ctx: Context,
  input: AnyResourceInput,
  holder: Holder,
  range: TimeRange,
): Promise<Evaluation[]> {
  const ids = await findFreeResources(ctx, input, range);
  if (ids.length === 0) return [];
  const schedules = await findResourceSchedules(ctx, { ids }, withLongestBuffer(range));
  const [first] = schedules;
  if (first === undefined) return [];
  // All are at one location.
  const entitlements = await getEntitlements(ctx, holder, [toDayAtResource(first, range.start)]);
  return (
    schedules
      .map((schedule) => evaluateSlot(ctx, schedule, entitlements, { ...range, override: false }))
      // Someone can book between the two statements.
      .filter(({ collisions }) => collisions.length === 0)
  );
}

const MATCHES = `r.location_id = $1::uuid AND r.type = $2::resource_type AND r.active
  AND ($3::text IS NULL OR r.area = $3) AND ($4::int IS NULL OR r.capacity >= $4)`;

// Conflicts come from the range indexes, one search per resource.
const FIND_FREE_RESOURCES = prepareStatement(`
  SELECT r.id FROM resources r
  WHERE ${MATCHES}
    AND NOT EXISTS (SELECT FROM bookings b
      WHERE b.resource_id = r.id AND b.status IN ('pending', 'confirmed')
        AND tstzrange(b.starts_at, b.occupied_until)
          && tstzrange($5::timestamptz, $6::timestamptz + r.buffer_minutes * interval '1 minute'))
    AND NOT EXISTS (SELECT FROM events e
      WHERE e.resource_id = r.id AND e.status = 'published'
        AND tstzrange(e.starts_at, e.ends_at) && tstzrange(
          $5::timestamptz - interval '${MAX_BUFFER_MINUTES} minutes',
          $6::timestamptz + interval '${MAX_BUFFER_MINUTES} minutes')
        AND tstzrange(e.starts_at, e.ends_at + r.buffer_minutes * interval '1 minute')
          && tstzrange($5::timestamptz, $6::timestamptz + r.buffer_minutes * interval '1 minute'))
  ORDER BY r.hourly_amount, r.requires_approval, r.capacity, r.name, r.id LIMIT ${MAX_RESOURCES}`);

/** Finds the ids of up to 250 matching resources that are free, the cheapest first. */
async function findFreeResources(
  { pipelinedSql }: Context,
  { locationId, type, area, capacity }: AnyResourceInput,
  { start, end }: TimeRange,
): Promise<string[]> {
  if (!isUuid(locationId)) throw notFound('location', locationId);
  const rows = await pipelinedSql<{ id: string }>(FIND_FREE_RESOURCES, [
    locationId,
    type,
    area ?? null,
    capacity ?? null,
    new Date(start),
    new Date(end),
  ]);
  return rows.map(({ id }) => id);
}

/** Those that can be booked at this price: the cheapest first, then those without approval, then by name. */
function listBookable(
  ctx: Context,
  evaluations: Evaluation[],
  maxPrice: Money | undefined,
): Evaluation[] {
  const isAffordable = ({ quote: { price } }: Evaluation) =>
    maxPrice === undefined ||
    (price.currency === maxPrice.currency && price.amount <= maxPrice.amount);
  const needsApproval = (evaluation: Evaluation) =>
    Number(chooseInitialStatus(ctx, evaluation) === 'pending');
  return evaluations
    .filter((evaluation) => evaluation.violations.length === 0 && isAffordable(evaluation))
    .toSorted(
      (a, b) => a.quote.price.amount - b.quote.price.amount || needsApproval(a) - needsApproval(b),
    );
}

const NAMES = { room: 'room', desk: 'desk', equipment: 'piece of equipment' };

/** Says why no resource can be booked. */
async function explainNone(
  { db }: Context,
  { locationId, type, area, capacity, maxPrice }: AnyResourceInput,
  free: Evaluation[],
): Promise<DomainError> {
  const [easiest] = free
    .filter(({ violations }) => violations.length > 0)
    .toSorted((a, b) => a.violations.length - b.violations.length);
  const [violation] = easiest?.violations ?? [];
  if (easiest && violation && free.every(({ violations }) => violations.length > 0)) {
    const message = easiest.violations.map(({ message }) => message).join(' ');
    return new DomainError('VALIDATION', message, { reason: violation.reason });
  }
  const matching = await db.resource.findFirst({
    where: {
      locationId,
      type,
      active: true,
      ...(area && { area }),
      ...(capacity && { capacity: { gte: capacity } }),
    },
    select: { id: true },
  });
  const name = NAMES[type];
  if (matching === null)
    return new DomainError(
      'NOT_FOUND',
      `No ${name} that can be booked matches. Choose another location, area or capacity.`,
      { reason: 'NOT_FOUND' },
    );
  const atPrice = maxPrice && free.length > 0 ? ' at this price' : '';
  return new DomainError(
    'CONFLICT',
    `No ${name} is free at that time${atPrice}. Choose another time.`,
    { reason: 'SLOT_TAKEN' },
  );
}
