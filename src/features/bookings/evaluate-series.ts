import type { Context } from '../../context.ts';
import { type Instant, toInstant } from '../../core/time/instant.ts';
import type { TimeRange } from '../../core/time/time-range.ts';
import { MINUTE_MS } from '../../core/time/time-zone.ts';
import { DomainError } from '../../errors.ts';
import type { Holder } from './booking-input.ts';
import { type Entitlements, lockMemberships } from './entitlements.ts';
import {
  type Evaluation,
  evaluateSlot,
  getEntitlements,
  getResourceSchedule,
  toLocalDate,
} from './evaluate-booking.ts';
import type { ResourceSchedule } from './resource-schedule.ts';
import { isOverridable, type ViolationReason } from './rules/booking-rules.ts';
import { countBookingMinutes } from './rules/slots.ts';

/** One of several bookings that are decided together. */
export interface RequestedOccurrence {
  /** Null where the clocks skip that time on that day. */
  span: TimeRange | null;
  /** By the location's clocks: 2026-03-29T02:30. */
  wall: string;
}

/** Several bookings of one resource by one holder. */
export interface SeriesRequest {
  resourceId: string;
  holder: Pick<Holder, 'memberId'>;
  override: boolean;
  occurrences: RequestedOccurrence[];
  /** Bookings that make room for them. */
  except?: string[];
}

/** An occurrence that cannot be had, and why. */
export interface OccurrenceConflict {
  startsAt: Instant | null;
  endsAt: Instant | null;
  localStart: string;
  reasons: { reason: ViolationReason | 'NO_SUCH_TIME'; message: string; overridable: boolean }[];
}

export interface SeriesEvaluation {
  accepted: Evaluation[];
  conflicts: OccurrenceConflict[];
}

/** Decides in order, each in view of those before. With `locking`, the memberships stay as they are until the transaction ends. */
export async function evaluateSeries(
  ctx: Context,
  several: SeriesRequest,
  { locking = false } = {},
): Promise<SeriesEvaluation> {
  const { resourceId, holder, except } = several;
  const spans = several.occurrences.flatMap(({ span }) => span ?? []);
  const ground = await getResourceSchedule(ctx, resourceId, toEnclosingRange(spans), except);
  const days = spans.map(({ start }) => toLocalDate(ground, start));
  let contracts = await getEntitlements(ctx, holder, days, except);
  if (locking && contracts.membershipIds.length > 0) {
    await lockMemberships(ctx, contracts.membershipIds);
    contracts = await getEntitlements(ctx, holder, days, except);
  }

  const decision: SeriesEvaluation = { accepted: [], conflicts: [] };
  for (const { span, wall } of several.occurrences) {
    if (span === null) {
      decision.conflicts.push(toSkippedTimeConflict(wall));
      continue;
    }
    const considered = evaluateSlot(ctx, ground, contracts, {
      ...span,
      override: several.override,
    });
    if (considered.violations.length > 0) {
      decision.conflicts.push(toOccurrenceConflict(considered, wall));
    } else {
      decision.accepted.push(considered);
      recordAccepted(considered, ground, contracts);
    }
  }
  return decision;
}

/** Throws CONFLICT with what speaks against each. */
export function throwSeriesConflicts(conflicts: OccurrenceConflict[], of: number): never {
  const [first] = conflicts;
  const message = first?.reasons[0]?.message ?? '';
  throw new DomainError(
    'CONFLICT',
    `${conflicts.length} of ${of} occurrences cannot be had. The first is ${first?.localStart.replace('T', ' ')}: ${message}`,
    { reason: 'SERIES_CONFLICTS', conflicts },
  );
}

/** What comes after must see it. */
function recordAccepted(
  { requested, entitlement, quote }: Evaluation,
  ground: ResourceSchedule,
  contracts: Entitlements,
): void {
  contracts.consume(
    entitlement,
    ground.resource.type,
    countBookingMinutes(ground, requested),
    quote.includedMinutes,
  );
  ground.busy.push({
    start: requested.start,
    end: requested.end + ground.resource.bufferMinutes * MINUTE_MS,
    until: requested.end,
    bookingId: null,
    memberId: null,
    title: null,
    holder: null,
  });
}

const toOccurrenceConflict = (
  { requested, violations }: Evaluation,
  wall: string,
): OccurrenceConflict => ({
  startsAt: toInstant(new Date(requested.start)),
  endsAt: toInstant(new Date(requested.end)),
  localStart: wall,
  reasons: violations.map((one) => ({ ...one, overridable: isOverridable(one.reason) })),
});

const toSkippedTimeConflict = (wall: string): OccurrenceConflict => ({
  startsAt: null,
  endsAt: null,
  localStart: wall,
  reasons: [
    {
      reason: 'NO_SUCH_TIME',
      message: 'The clocks skip this time on that day.',
      overridable: false,
    },
  ],
});

const toEnclosingRange = (spans: TimeRange[]): TimeRange => ({
  start: Math.min(...spans.map(({ start }) => start)),
  end: Math.max(...spans.map(({ end }) => end)) + 24 * 60 * MINUTE_MS,
});
