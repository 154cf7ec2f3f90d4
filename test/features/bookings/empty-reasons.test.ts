import fc from 'fast-check';
import { MINUTE_MS } from '../../../src/core/time/time-zone.ts';
import type { ResourceSchedule } from '../../../src/features/bookings/resource-schedule.ts';
import {
  type EmptyReason,
  findEmptyReason,
} from '../../../src/features/bookings/rules/empty-reason.ts';
import { findFreeSlots } from '../../../src/features/bookings/rules/slots.ts';
import { checkProperty, propertyRuns } from '../../support/harness/property-runs.ts';

/** A search for slots, and who would book. */
interface State {
  schedule: ResourceSchedule;
  minutes: number;
  range: { start: number; end: number };
  now: number;
  member: 'none' | 'active' | 'paused' | 'withoutHours';
}

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Midnight in Berlin, on the Thursday before clocks change. */
const THURSDAY = Date.parse('2026-03-25T23:00:00Z');

const hours = fc.constantFrom<ResourceSchedule['calendar']['hours']>(
  [],
  [1, 2, 3, 4, 5].map((weekday) => ({ weekday, opensMinute: 540, closesMinute: 1080 })),
  [4, 5].map((weekday) => ({ weekday, opensMinute: 600, closesMinute: 645 })),
);

const closures = fc.constantFrom<ResourceSchedule['calendar']['closures']>(
  [],
  [],
  [{ startsOn: '2026-03-26', endsOn: '2026-03-27', reason: null }],
  [{ startsOn: '2026-03-28', endsOn: '2026-04-30', reason: null }],
);

/** Many are of whole days, so that some days have nothing else. */
const busy = fc
  .array(
    fc
      .tuple(fc.nat(6 * 24), fc.constantFrom(1, 3, 9, 24, 72))
      .map(([hour, length]): ResourceSchedule['busy'][number] => {
        const start = THURSDAY + (length < 24 ? hour : hour - (hour % 24)) * HOUR_MS;
        const end = start + length * HOUR_MS;
        return {
          start,
          end,
          endsAt: end,
          bookingId: null,
          memberId: null,
          title: null,
          holder: null,
        };
      }),
    { maxLength: 8 },
  )
  .map((ranges) => ranges.toSorted((a, b) => a.start - b.start));

const resource = fc
  .record({
    active: fc.constantFrom(true, true, true, true, true, true, false),
    gridMinutes: fc.constantFrom(15, 60, 1_440),
    factors: fc.constantFrom([1, 1], [1, 4], [2, 8]),
    bufferMinutes: fc.constantFrom(0, 0, 30),
    noticeMinutes: fc.constantFrom(0, 0, 120, 4 * 1_440),
    daysAhead: fc.constantFrom(0, 1, 3, 60, 60),
  })
  .map(({ factors: [least = 1, most = 1], ...values }): ResourceSchedule['resource'] => ({
    ...values,
    minMinutes: values.gridMinutes * least,
    maxMinutes: values.gridMinutes * most,
    id: 'room',
    name: 'Room',
    type: 'room',
    pricePerHour: { amount: 1_000, currency: 'EUR' },
    freeCancellationHours: 0,
    requiresApproval: false,
  }));

const states = fc
  .record({
    resource,
    hours,
    closures,
    busy,
    length: fc.constantFrom(1, 1, 1, 2, 4, 0.5),
    day: fc.integer({ min: 0, max: 5 }),
    days: fc.constantFrom(1, 1, 3),
    now: fc.integer({ min: -20, max: 6 * 24 * 4 }),
    member: fc.constantFrom<State['member']>('none', 'none', 'active', 'paused', 'withoutHours'),
  })
  .map(({ resource, hours, closures, busy, length, day, days, now, member }): State => {
    const start = THURSDAY + day * DAY_MS;
    return {
      schedule: {
        resource,
        location: { id: 'location', name: 'Location' },
        calendar: { timeZone: 'Europe/Berlin', hours, closures },
        busy,
      },
      minutes: resource.minMinutes * length,
      range: { start, end: start + days * DAY_MS },
      now: THURSDAY + now * 15 * MINUTE_MS,
      member,
    };
  });

const hasSlot = ({ schedule, minutes, range, now, member }: State) =>
  (member === 'none' || member === 'active') &&
  !findFreeSlots(schedule, minutes, range, now).next().done;

const toBooker = ({ member }: State) =>
  member === 'none' ? null : { isActive: member !== 'paused' };

const explain = (state: State): EmptyReason | null =>
  hasSlot(state) ? null : findEmptyReason({ ...state, member: toBooker(state) });

const withResource = (state: State, changed: Partial<ResourceSchedule['resource']>): State => ({
  ...state,
  schedule: { ...state.schedule, resource: { ...state.schedule.resource, ...changed } },
});

const withShortestLength = (state: State): State => ({
  ...state,
  minutes: state.schedule.resource.minMinutes,
});

const withoutHours = (state: State): State => ({
  ...state,
  schedule: {
    ...state.schedule,
    calendar: { ...state.schedule.calendar, hours: [], closures: [] },
  },
});

/** Each removes what the reason stands for, and nothing else. Several removals stand for one of them. */
const REMOVALS: Record<EmptyReason, ((state: State) => State)[]> = {
  inactive: [(state) => withResource(state, { active: true })],
  length_not_offered: [withShortestLength],
  not_allowed: [(state) => ({ ...state, member: 'none' })],
  too_late: [
    (state) => {
      const noticeMinutes = (state.range.start - state.now) / MINUTE_MS;
      const { resource } = state.schedule;
      return withResource(state, {
        noticeMinutes: Math.min(resource.noticeMinutes, noticeMinutes),
      });
    },
  ],
  too_early: [(state) => withResource(state, { daysAhead: 400 })],
  closed: [withoutHours],
  booked_out: [(state) => ({ ...state, schedule: { ...state.schedule, busy: [] } })],
  too_short: [withShortestLength, withoutHours],
};

/** Free times can be too short for several reasons at once, also because the period is. */
const withLongTimes = (state: State): State => ({
  ...withoutHours(withShortestLength(state)),
  range: { start: state.range.start - 2 * DAY_MS, end: state.range.end + 2 * DAY_MS },
});

const REASONS = Object.keys(REMOVALS) as EmptyReason[];

test('the reason for an empty period is what empties it', () => {
  const seen = new Map<EmptyReason, number>();
  checkProperty(
    fc.property(states, (state) => {
      const reason = explain(state);
      if (reason === null) return;
      seen.set(reason, (seen.get(reason) ?? 0) + 1);
      const removals =
        reason === 'too_short' ? [...REMOVALS.too_short, withLongTimes] : REMOVALS[reason];
      const answers = removals.map((remove) => explain(remove(state)));
      const what = JSON.stringify(state);
      expect([what, ...answers]).not.toEqual([what, ...answers.map(() => reason)]);
      // If one thing alone empties the period, it is the reason.
      const causes = REASONS.filter((name) =>
        REMOVALS[name].some((remove) => hasSlot(remove(state))),
      );
      if (causes.length > 0)
        expect([what, causes]).toEqual([what, expect.arrayContaining([reason])]);
    }),
    { numRuns: propertyRuns(600) },
  );
  expect([...seen.keys()].toSorted()).toEqual(REASONS.toSorted());
});
