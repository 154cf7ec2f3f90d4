import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Money } from '../../../core/money.ts';
import {
  createInstantFormatter,
  type InstantFormatter,
} from '../../../core/time/instant-formatter.ts';
import { listDates } from '../../../core/time/opening-hours.ts';
import type { TimeRange } from '../../../core/time/time-range.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, toZonedDateTime } from '../../../core/time/time-zone.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { findBookableSlots, type Slot, toSlot } from '../booking-preview.ts';
import type { Entitlements } from '../entitlements.ts';
import { getEntitlements, withLongestBuffer } from '../evaluate-booking.ts';
import { assertCanBookAs } from '../holder-and-times.ts';
import {
  findResourceSchedules,
  MAX_RESOURCES,
  type ResourceSchedule,
  type ResourceScheduleFilter,
} from '../resource-schedule.ts';
import { type EmptyReason, findEmptyReason, findFirstFreeDay } from '../rules/empty-reason.ts';
import { findFreeRanges, type StartBudget } from '../rules/slots.ts';

export interface AvailabilityPeriod {
  /** Default: now. */
  from?: Date | undefined;
  /** Default: a week after `from`. */
  to?: Date | undefined;
  /** The length of the slots. Default: the resource's shortest booking. */
  minutes?: number | undefined;
  /** The member who would book: prices and limits are those of their plan. Default: the viewer, if they are a member. */
  memberId?: string | undefined;
}

export interface PricedSlot extends Slot {
  price: Money;
}

/** The availability of one resource. Its lists are computed on demand. */
export interface Availability {
  resource: { id: string; name: string };
  /** Open and unoccupied ranges, whether or not they are bookable now. */
  free(): Slot[];
  slots(): PricedSlot[];
  /** Why there is no slot; null if there is one. */
  emptyReason(): EmptyReason | null;
  /**
   * The first local day after the period on which a booking of this length can start, as YYYY-MM-DD. Null if the period has slots, if
   * there is none within 31 days, and if the searches of the response have visited too many starts before. Takes one statement for all resources of the period.
   */
  nextFreeOn(): Promise<string | null>;
}

/** The most local days of a period, from a time of day to the same one. Where clocks change, they have more or fewer hours. */
const MAX_DAYS = 31;
/** Two hours is the most that any zone has changed by in decades. */
const MAX_CLOCK_CHANGE_MS = 2 * HOUR_MS;
const DEFAULT_DAYS = 7;
const DAY_MINUTES = 24 * 60;
/** The maximum of one response: fifty rooms for a week in quarters of an hour. More would block other requests. */
const MAX_SLOTS = 35_000;
/** The maximum number of candidate starts for one response, free or not. */
const MAX_STARTS = 300_000;

/**
 * Finds free slots and their prices for up to 250 resources, sorted by name. Takes one statement for all
 * resources and one more for a member's prices.
 *
 * @throws BAD_REQUEST for too many resources, if one is requested for a length that it never has, and for a period that is empty or longer than 31 days in each zone of the resources,
 *   NOT_FOUND for the member
 */
export async function findAvailability(
  ctx: Context,
  filter: ResourceScheduleFilter,
  period: AvailabilityPeriod,
  { budget = createSlotBudget(), isOneRequested = false, activeOnly = true } = {},
): Promise<Availability[]> {
  const range = toPeriodRange(period, ctx.now());
  const schedules = await findResourceSchedules(
    ctx,
    { ...filter, activeOnly },
    withLongestBuffer(range),
  );
  if (schedules.length > MAX_RESOURCES) throw tooManyResources();
  assertPeriodLength(range, schedules);
  const [first] = schedules;
  if (isOneRequested && first) assertBookableLength(first, period);
  const entitlements = await getPeriodEntitlements(ctx, period, schedules, range);
  const getFormatter = createFormatters();
  const now = ctx.now().getTime();
  const later = { start: range.end, end: range.end + MAX_DAYS * DAY_MS };
  let laterSchedules: Promise<ResourceSchedule[]> | undefined;
  const findLater = () => {
    const ids = schedules.map(({ resource: { id } }) => id);
    laterSchedules ??= findResourceSchedules(ctx, { ids }, withLongestBuffer(later));
    return laterSchedules;
  };
  return schedules.map((schedule) => {
    const { id, minMinutes } = schedule.resource;
    const minutes = period.minutes ?? minMinutes;
    const formatter = getFormatter(schedule.calendar.timeZone);
    let found: boolean | undefined;
    /** Searches once: both the reason and the next day are for resources without slots. */
    const hasSlots = () => {
      const options = { range, now, formatter, budget };
      found ??= !findBookableSlots(schedule, entitlements, minutes, options).next().done;
      return found;
    };
    return {
      resource: { id: schedule.resource.id, name: schedule.resource.name },
      free: () => findFreeRanges(schedule, range).map((free) => toSlot(free, formatter)),
      slots: () =>
        listPricedSlots(ctx, schedule, entitlements, range, budget, formatter, period.minutes),
      emptyReason: () => {
        if (hasSlots()) return null;
        const { booker } = entitlements;
        const member = booker && { isActive: booker.status === 'active' };
        const search = { schedule, minutes, range, now, member, budget };
        const reason = findEmptyReason(search);
        if (budget.starts <= 0) throw tooManySlots();
        return reason;
      },
      nextFreeOn: async () => {
        if (hasSlots()) return null;
        const found = (await findLater()).find(({ resource }) => resource.id === id);
        return found === undefined ? null : findFirstFreeDay(found, minutes, later, now, budget);
      },
    };
  });
}

/** Returns a function that returns the formatter of a time zone. Resources of one zone share it. */
function createFormatters(): (timeZone: string) => InstantFormatter {
  const formatters = new Map<string, InstantFormatter>();
  return (timeZone) => {
    const formatter = formatters.get(timeZone) ?? createInstantFormatter(timeZone);
    formatters.set(timeZone, formatter);
    return formatter;
  };
}

/** A resource and the period for which its availability is requested. */
export interface AvailabilityRequest {
  resourceId: string;
  period: AvailabilityPeriod;
}

/**
 * Creates a function that finds the availability of many resources, in two statements for each period and 250 resources. Its results share one limit of slots. Null for resources that cannot be booked any more.
 */
export function createAvailabilityReader(ctx: Context) {
  const budget = createSlotBudget();
  return async (
    requests: readonly AvailabilityRequest[],
  ): Promise<(Availability | Error | null)[]> => {
    const byPeriod = new Map<string, AvailabilityRequest[]>();
    for (const request of requests) {
      const key = JSON.stringify(request.period);
      byPeriod.set(key, [...(byPeriod.get(key) ?? []), request]);
    }
    const found = new Map<string, Availability | Error>();
    for (const [key, [first, ...others]] of byPeriod) {
      if (first === undefined) continue;
      const ids = [first, ...others].map(({ resourceId }) => resourceId);
      for (let start = 0; start < ids.length; start += MAX_RESOURCES) {
        const some = ids.slice(start, start + MAX_RESOURCES);
        try {
          for (const availability of await findAvailability(ctx, { ids: some }, first.period, {
            budget,
          }))
            found.set(`${key} ${availability.resource.id}`, availability);
        } catch (error) {
          for (const id of some) found.set(`${key} ${id}`, error as Error);
        }
      }
    }
    return requests.map(
      ({ resourceId, period }) => found.get(`${JSON.stringify(period)} ${resourceId}`) ?? null,
    );
  };
}

/**
 * Finds the free slots of one resource, in order of time.
 *
 * @throws NOT_FOUND for the resource or member, BAD_REQUEST as `findAvailability` of one resource
 */
export async function findResourceAvailability(
  ctx: Context,
  resourceId: string,
  period: AvailabilityPeriod,
): Promise<Availability> {
  const [availability] = isUuid(resourceId)
    ? await findAvailability(ctx, { ids: [resourceId] }, period, {
        isOneRequested: true,
        activeOnly: false,
      })
    : [];
  if (!availability) throw notFound('resource', resourceId);
  return availability;
}

/** @throws BAD_REQUEST that names the limits, if no booking of the resource can have the requested length. */
function assertBookableLength(
  { resource: { name, minMinutes, maxMinutes, gridMinutes } }: ResourceSchedule,
  { minutes }: AvailabilityPeriod,
): void {
  if (minutes === undefined) return;
  // Days on which clocks change are shorter or longer.
  const isMultiple = gridMinutes >= DAY_MINUTES || minutes % gridMinutes === 0;
  if (minutes >= minMinutes && minutes <= maxMinutes && isMultiple) return;
  const message = `bookings of ${name} last ${minMinutes} to ${maxMinutes} minutes, in steps of ${gridMinutes}`;
  throw new DomainError('BAD_REQUEST', `minutes: ${message}. Choose such a length.`, {
    reason: 'INVALID_INPUT',
    fields: [{ field: 'minutes', message }],
  });
}

function toPeriodRange({ from, to }: AvailabilityPeriod, now: Date): TimeRange {
  const start = (from ?? now).getTime();
  const range = { start, end: to?.getTime() ?? start + DEFAULT_DAYS * DAY_MS };
  if (range.end <= range.start) throw invalidPeriod('to: must be later than from.', ['to']);
  // No zone has 31 days that are longer. What is longer is not even read; `assertPeriodLength` knows the zones.
  if (range.end - range.start > MAX_DAYS * DAY_MS + MAX_CLOCK_CHANGE_MS) throw periodTooLong();
  return range;
}

/** Rejects a period that is too long in each zone, so that a month of one location can be requested for all. */
function assertPeriodLength({ start, end }: TimeRange, schedules: ResourceSchedule[]): void {
  const zones = new Set(schedules.map(({ calendar }) => calendar.timeZone));
  const isWithinLimit = (zone: string) =>
    end <= toZonedDateTime(start, zone).add({ days: MAX_DAYS }).epochMilliseconds;
  if (zones.size > 0 && ![...zones].some(isWithinLimit)) throw periodTooLong();
}

const periodTooLong = () => invalidPeriod(`to: at most ${MAX_DAYS} days after from.`, ['to']);

const tooManySlots = () =>
  invalidPeriod(
    `The period has more than ${MAX_SLOTS} slots. Select fewer days or resources, or request free ranges instead of slots.`,
    ['to'],
  );

const tooManyResources = () =>
  invalidPeriod(
    `More than ${MAX_RESOURCES} resources match. Select a location, a type or some ids.`,
    ['resourceIds'],
  );

const invalidPeriod = (message: string, fields: string[]) =>
  new DomainError('BAD_REQUEST', message, { reason: 'INVALID_INPUT', fields });

async function getPeriodEntitlements(
  ctx: Context,
  { memberId }: AvailabilityPeriod,
  schedules: ResourceSchedule[],
  range: TimeRange,
): Promise<Entitlements> {
  const zones = new Set(schedules.map(({ calendar }) => calendar.timeZone));
  const days = [...zones].flatMap((zone) => [...listDates(range, zone)].map(String));
  return getEntitlements(ctx, { memberId: resolvePayer(ctx, memberId) }, days);
}

/** Returns the member whose plan determines the prices, or null for the public prices. */
function resolvePayer({ viewer }: Context, memberId: string | undefined): string | null {
  if (memberId !== undefined) assertCanBookAs(viewer, memberId);
  return memberId ?? (viewer.kind === 'member' ? viewer.id : null);
}

interface SlotBudget extends StartBudget {
  slots: number;
}

/** @throws BAD_REQUEST beyond the maximum of one response */
function chargeStarts(budget: SlotBudget, { resource }: ResourceSchedule, range: TimeRange): void {
  budget.starts -= (range.end - range.start) / MINUTE_MS / resource.gridMinutes;
  if (budget.starts < 0) throw tooManySlots();
}

const createSlotBudget = (): SlotBudget => ({ slots: MAX_SLOTS, starts: MAX_STARTS });

function listPricedSlots(
  ctx: Context,
  schedule: ResourceSchedule,
  entitlements: Entitlements,
  range: TimeRange,
  budget: SlotBudget,
  formatter: InstantFormatter,
  minutes = schedule.resource.minMinutes,
): PricedSlot[] {
  chargeStarts(budget, schedule, range);
  const slots: PricedSlot[] = [];
  const now = ctx.now().getTime();
  const found = findBookableSlots(schedule, entitlements, minutes, { range, now, formatter });
  for (const { start, end, localStart, price } of found) {
    budget.slots -= 1;
    if (budget.slots < 0) throw tooManySlots();
    slots.push({
      startsAt: formatter.toUtc(start),
      endsAt: formatter.toUtc(end),
      localStart,
      price,
    });
  }
  return slots;
}
