import type { Context } from '../../context.ts';
import { isUuid } from '../../core/ids.ts';
import type { TimeRange } from '../../core/time/time-range.ts';
import { type Instant, toInstant } from '../../core/time/time-zone.ts';
import { DomainError, notFound } from '../../errors.ts';
import { toOccupiedRange } from '../spaces/types.ts';
import { toOverridableReason } from './booking-preview.ts';
import { type Entitlements, readWithLockedMemberships } from './entitlements.ts';
import {
  type Evaluation,
  evaluateSlot,
  getEntitlements,
  toDayAtResource,
  withLongestBuffer,
} from './evaluate-booking.ts';
import type { Holder } from './holder-and-times.ts';
import { findResourceSchedules, type ResourceSchedule } from './resource-schedule.ts';
import type { ViolationReason } from './rules/booking-rules.ts';

/** One of several bookings that are evaluated together. */
export interface RequestedOccurrence {
  resourceId: string;
  /** Null if the time does not exist on this day because of daylight saving. */
  range: TimeRange | null;
  /** In the location's time zone, such as 2026-03-29T02:30. */
  localStart: string;
}

/** Several bookings for one holder. They are usually of one resource, but each can have been moved to another one. */
export interface SeriesRequest {
  holder: Pick<Holder, 'memberId'>;
  override: boolean;
  occurrences: RequestedOccurrence[];
  /** Bookings that these replace. They do not block the occurrences, and their usage does not count. */
  excludedIds?: string[];
}

/** An occurrence that cannot be booked, with the reasons. */
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

/**
 * Evaluates the occurrences in order. Each accepted one counts towards the limits of those after it. With `locking`, the
 * memberships stay locked until the transaction ends.
 *
 * @throws NOT_FOUND for the resource or the member
 */
export async function evaluateSeries(
  ctx: Context,
  request: SeriesRequest,
  { locking = false } = {},
): Promise<SeriesEvaluation> {
  const { occurrences, holder, excludedIds } = request;
  const ranges = occurrences.flatMap(({ range }) => range ?? []);
  const enclosing = withLongestBuffer(toEnclosingRange(ranges));
  const getSchedule = await readSchedules(ctx, occurrences, enclosing, excludedIds);
  const days = occurrences.flatMap(({ resourceId, range }) =>
    range === null ? [] : toDayAtResource(getSchedule(resourceId), range.start),
  );
  const readEntitlements = () => getEntitlements(ctx, holder, days, excludedIds);
  const entitlements = locking
    ? await readWithLockedMemberships(ctx, readEntitlements, ({ membershipIds }) => membershipIds)
    : await readEntitlements();

  const result: SeriesEvaluation = { accepted: [], conflicts: [] };
  for (const { resourceId, range, localStart } of occurrences) {
    if (range === null) {
      result.conflicts.push(toSkippedTimeConflict(localStart));
      continue;
    }
    const schedule = getSchedule(resourceId);
    const evaluation = evaluateSlot(ctx, schedule, entitlements, {
      ...range,
      override: request.override,
    });
    if (evaluation.violations.length > 0) {
      result.conflicts.push(toOccurrenceConflict(evaluation, localStart));
    } else {
      result.accepted.push(evaluation);
      recordAccepted(evaluation, schedule, entitlements);
    }
  }
  return result;
}

/** Reads the schedules of all resources. @throws NOT_FOUND */
async function readSchedules(
  ctx: Context,
  occurrences: RequestedOccurrence[],
  range: TimeRange,
  excludedIds: string[] | undefined,
): Promise<(resourceId: string) => ResourceSchedule> {
  const ids = [...new Set(occurrences.map(({ resourceId }) => resourceId))];
  const wrong = ids.find((id) => !isUuid(id));
  if (wrong !== undefined) throw notFound('resource', wrong);
  const schedules = await findResourceSchedules(ctx, { ids }, range, excludedIds);
  const byId = new Map(schedules.map((schedule) => [schedule.resource.id, schedule]));
  return (resourceId) => {
    // PostgreSQL returns ids in lower case.
    const schedule = byId.get(resourceId.toLowerCase());
    if (!schedule) throw notFound('resource', resourceId);
    return schedule;
  };
}

/** @throws CONFLICT, reason SERIES_CONFLICTS, with the reasons for each occurrence */
export function throwSeriesConflicts(conflicts: OccurrenceConflict[], total: number): never {
  const [first] = conflicts;
  const message = first?.reasons[0]?.message ?? '';
  throw new DomainError(
    'CONFLICT',
    `${conflicts.length} of ${total} occurrences are unavailable. The first is ${first?.localStart.replace('T', ' ')}: ${message} Choose other times, exclude these dates, or skip them with onConflict.`,
    { reason: 'SERIES_CONFLICTS', conflicts },
  );
}

/** Counts an accepted occurrence, so that the following ones take it into account. */
function recordAccepted(
  { requested, entitlement, quote }: Evaluation,
  schedule: ResourceSchedule,
  entitlements: Entitlements,
): void {
  entitlements.consume(
    entitlement,
    schedule.resource.type,
    requested.minutes,
    quote.includedMinutes,
  );
  schedule.busy.push({
    ...toOccupiedRange(schedule.resource, requested),
    endsAt: requested.end,
    bookingId: null,
    memberId: null,
    title: null,
    holder: null,
  });
}

const toOccurrenceConflict = (
  { requested, violations }: Evaluation,
  localStart: string,
): OccurrenceConflict => ({
  startsAt: toInstant(new Date(requested.start)),
  endsAt: toInstant(new Date(requested.end)),
  localStart,
  reasons: violations.map(toOverridableReason),
});

const toSkippedTimeConflict = (localStart: string): OccurrenceConflict => ({
  startsAt: null,
  endsAt: null,
  localStart,
  reasons: [
    {
      reason: 'NO_SUCH_TIME',
      message: 'This time does not exist on this day because clocks change.',
      overridable: false,
    },
  ],
});

/** Returns the range of all occurrences. */
const toEnclosingRange = (ranges: TimeRange[]): TimeRange => ({
  start: Math.min(...ranges.map(({ start }) => start)),
  end: Math.max(...ranges.map(({ end }) => end)),
});
