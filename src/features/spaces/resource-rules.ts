import type { ErrorReason } from '../../core/error-reasons.ts';
import type { Money } from '../../core/money.ts';
import { DAY_MINUTES } from '../../core/time/time-zone.ts';
import type { Resource, ResourceType } from '../../db/generated/client.ts';
import { DomainError } from '../../errors.ts';

/** The booking rules of a resource. */
type BookingRules = Pick<
  Resource,
  | 'minMinutes'
  | 'maxMinutes'
  | 'gridMinutes'
  | 'bufferMinutes'
  | 'noticeMinutes'
  | 'daysAhead'
  | 'freeCancellationHours'
  | 'noShowMinutes'
  | 'requiresApproval'
>;

/** The same defaults as in the database. */
const DEFAULT_RULES = {
  gridMinutes: 15,
  minMinutes: 30,
  maxMinutes: 480,
  daysAhead: 365,
};

type PartialWithUndefined<T> = { [K in keyof T]?: T[K] | undefined };

/** The longest booking. A desk can be booked for as long as its location is open. */
const DEFAULT_MAX_MINUTES: Record<ResourceType, number> = {
  room: DEFAULT_RULES.maxMinutes,
  desk: DAY_MINUTES,
  equipment: DEFAULT_RULES.maxMinutes,
};

/**
 * Resolves the durations of a new resource. The defaults are half an hour to eight hours, or to a day for a desk, rounded to
 * multiples of the grid.
 */
export function resolveDurations({
  type,
  gridMinutes: interval = DEFAULT_RULES.gridMinutes,
  ...input
}: { type: ResourceType } & PartialWithUndefined<
  Pick<BookingRules, 'gridMinutes' | 'minMinutes' | 'maxMinutes'>
>) {
  const minMinutes = input.minMinutes ?? Math.ceil(DEFAULT_RULES.minMinutes / interval) * interval;
  const maxMinutes =
    input.maxMinutes ??
    Math.max(minMinutes, Math.floor(DEFAULT_MAX_MINUTES[type] / interval) * interval);
  return { gridMinutes: interval, minMinutes, maxMinutes };
}

/** Checks that the rules do not contradict each other. @throws VALIDATION */
export function assertConsistentRules({
  minMinutes,
  maxMinutes,
  gridMinutes,
  noticeMinutes = 0,
  daysAhead = DEFAULT_RULES.daysAhead,
}: PartialWithUndefined<BookingRules> &
  Pick<BookingRules, 'minMinutes' | 'maxMinutes' | 'gridMinutes'>): void {
  if (maxMinutes < minMinutes) {
    rejectRules(
      'MAX_BELOW_MIN',
      'maxMinutes',
      `maxMinutes must be at least minMinutes, which is ${minMinutes}.`,
    );
  }
  for (const [field, minutes] of Object.entries({ minMinutes, maxMinutes })) {
    if (minutes % gridMinutes !== 0) {
      rejectRules(
        'NOT_ON_GRID',
        field,
        `${field}: ${minutes} is not a multiple of gridMinutes, which is ${gridMinutes}.`,
      );
    }
  }
  if (noticeMinutes > daysAhead * DAY_MINUTES) {
    rejectRules(
      'NOTICE_BEYOND_HORIZON',
      'noticeMinutes',
      `noticeMinutes: ${noticeMinutes} is longer than daysAhead, which is ${daysAhead}, so nothing could be booked.`,
    );
  }
}

function rejectRules(reason: ErrorReason, field: string, message: string): never {
  throw new DomainError('VALIDATION', message, { reason, fields: [field] });
}

export const omitUndefined = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

export const toHourlyPriceColumns = (price: Money | undefined) =>
  price && { hourlyAmount: price.amount, currency: price.currency };
