import fc from 'fast-check';
import type { Bookable, Place, ResourceType } from './documented-bookings.ts';
import { DAY, findChanges, HOUR, MINUTE, startOfDay, toDay } from './documented-bookings-time.ts';

/** Random worlds and steps for the model of the documented booking rules. */

const ZONES = [
  'Europe/Berlin',
  'Europe/Lisbon',
  'Africa/Cairo',
  'Asia/Beirut',
  'America/Havana',
  'America/Santiago',
  'Australia/Lord_Howe',
  'America/New_York',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'UTC',
];
const GRIDS = [15, 30, 60, 90, 120, 240, 720, 1440];
const TYPES: ResourceType[] = ['room', 'desk', 'equipment'];

/** The longest booking that a resource can allow, in minutes. */
const MAX_LENGTH = 7 * 1440;

const FIRST_YEAR = 2026;
const YEARS = 2;

/** Pairs of opening and closing times, in minutes. The last ones are random. */
const HOURS: [number, number][][] = [
  [],
  [[0, 1440]],
  [[9 * 60, 18 * 60]],
  [
    [0, 90],
    [135, 12 * 60],
    [13 * 60, 1440],
  ],
  [
    [30, 150],
    [180, 1410],
  ],
  [
    [0, 180],
    [22 * 60, 1440],
  ],
  [[60, 1380]],
  [
    [90, 120],
    [120, 150],
    [165, 1440],
  ],
];

const randomHours = fc
  .uniqueArray(fc.integer({ min: 0, max: 96 }), { minLength: 2, maxLength: 6 })
  .map((quarters) => quarters.map((quarter) => quarter * 15).sort((a, b) => a - b))
  .map((times) =>
    times.flatMap((opens, index) => {
      const closes = times[index + 1];
      return index % 2 === 0 && closes !== undefined ? [[opens, closes] as [number, number]] : [];
    }),
  );

const resourceRules = fc
  .record({
    type: fc.constantFrom(...TYPES),
    hourly: fc.constantFrom(0, 600, 1999, 2500, 1),
    grid: fc.constantFrom(...GRIDS),
    min: fc.constantFrom(1, 1, 1, 2),
    steps: fc.constantFrom(1, 3, 8, 40),
    buffer: fc.constantFrom(0, 0, 15, 45, 240),
    notice: fc.constantFrom(0, 0, 0, 0, 60, 1500),
    daysAhead: fc.constantFrom(12, 30, 365, 700),
    freeHours: fc.constantFrom(0, 1, 24, 72),
    noShow: fc.constantFrom(null, 15, 60),
    needsApproval: fc.constantFrom(false, false, true),
    active: fc.constantFrom(...Array.from({ length: 19 }, () => true), false),
  })
  .map(
    ({ min, steps, ...rules }): Omit<Bookable, 'id'> => ({
      ...rules,
      min: min * rules.grid,
      max: Math.min(MAX_LENGTH, (min + steps) * rules.grid),
    }),
  );

const benefits = fc
  .uniqueArray(
    fc.record({
      type: fc.constantFrom(...TYPES),
      included: fc.constantFrom(0, 1, 4, 30),
      discount: fc.constantFrom(0, 10, 33, 100),
      more: fc.constantFrom(null, 0, 2, 24),
    }),
    { minLength: 1, maxLength: 3, selector: ({ type }) => type },
  )
  .map((list) =>
    list.map(({ more, included, ...rest }) => ({
      ...rest,
      included,
      limit: more === null ? null : Math.max(1, included + more),
    })),
  );

/** The days of a membership, counted from the day of the focus. */
const term = fc.constantFrom(
  { from: -400, to: null },
  { from: -400, to: null },
  { from: -400, to: 0 },
  { from: 1, to: null },
  { from: -1, to: 1 },
);

const PEOPLE = ['guest', 'own', 'shared', 'planless', 'paused'] as const;

export const arbitraryStep = fc.record({
  kind: fc.constantFrom(
    ...(['book', 'book', 'book', 'book', 'book', 'offer', 'offer', 'move', 'move'] as const),
    ...(['cancel', 'approve', 'checkIn', 'wait'] as const),
  ),
  resource: fc.constantFrom(0, 1),
  person: fc.constantFrom(...PEOPLE, 'own' as const, 'shared' as const),
  caller: fc.constantFrom('member' as const, 'staff' as const, 'token' as const),
  override: fc.constantFrom(false, false, false, false, true),
  anchor: fc.constantFrom(
    ...(['focus', 'focus', 'focus', 'now', 'horizon', 'month', 'booking'] as const),
  ),
  distance: fc.integer({ min: -12, max: 12 }),
  jitter: fc.constantFrom(...Array.from({ length: 20 }, () => 0), 15, -15, 30, 60, 1, -1, 1440),
  length: fc.constantFrom(1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 7, 7, 8, 31, 50),
  excess: fc.constantFrom(...Array.from({ length: 20 }, () => 0), 15, -15, 60, -60, 1),
  pick: fc.nat(50),
  waiveFee: fc.constantFrom(false, false, true),
});
export type Step = typeof arbitraryStep extends fc.Arbitrary<infer Value> ? Value : never;

export const arbitraryWorld = fc.record({
  zone: fc.constantFrom(...ZONES),
  focus: fc.nat(1000),
  /** Minutes from now to the focus. */
  ahead: fc.constantFrom(0, 600, 3000, 3000, 14_400, 14_400),
  hours: fc.oneof(
    fc.constantFrom([], [[0, 1440]] as [number, number][]),
    fc.constantFrom(...HOURS),
    randomHours,
  ),
  closures: fc.array(
    fc.record({ from: fc.integer({ min: -2, max: 4 }), days: fc.constantFrom(0, 0, 1, 3) }),
    { maxLength: 1 },
  ),
  resources: fc.tuple(resourceRules, resourceRules),
  own: fc.record({ benefits, term }),
  team: fc.record({ benefits, term }),
});
export type WorldPlan = typeof arbitraryWorld extends fc.Arbitrary<infer Value> ? Value : never;

/** The moment around which the steps of a world happen: mostly a clock change, otherwise the end of a month. */
export function findFocus({ zone, focus }: WorldPlan): number {
  const from = Date.UTC(FIRST_YEAR, 3, 1);
  const changes = findChanges(zone, from, from + YEARS * 365 * DAY);
  const change = changes[focus % Math.max(1, changes.length)];
  if (change !== undefined && focus % 5 !== 4) return change;
  const day = Date.UTC(FIRST_YEAR, 4 + (focus % 20), 1) / DAY;
  return startOfDay(zone, day);
}

export const findNow = (plan: WorldPlan): number =>
  Math.floor((findFocus(plan) - plan.ahead * MINUTE) / MINUTE) * MINUTE;

export function planPlace(plan: WorldPlan): Omit<Place, 'id'> {
  const day = toDay(plan.zone, findFocus(plan));
  return {
    zone: plan.zone,
    hours: plan.hours.flatMap(([opens, closes]) =>
      [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens, closes })),
    ),
    closures: plan.closures.map(({ from, days }) => ({ from: day + from, to: day + from + days })),
  };
}

export const WAITS = [20 * MINUTE, HOUR, 5 * HOUR, 26 * HOUR];
