import fc from 'fast-check';
import { HOUR_MS } from '../../src/core/time/time-zone.ts';
import {
  isOverlapping,
  type OccupiedSlot,
} from '../../src/features/imports/service/booking-conflicts.ts';
import { planMoves } from '../../src/features/imports/service/plan-moves.ts';
import { checkProperty } from '../support/harness/property-runs.ts';

const SLOTS = 12;
const HALF_HOUR_MS = HOUR_MS / 2;

/** A slot of an hour or another length, with its start in half hours. */
const toSlot = (id: string | null, start: number, hours = 1): OccupiedSlot => {
  const startsAt = new Date(start * HALF_HOUR_MS);
  const endsAt = new Date(+startsAt + hours * HOUR_MS);
  return { id, title: null, importUid: null, startsAt, endsAt, occupiedUntil: endsAt };
};

const TWO_YEARS = 2 * 366 * 24;

const target = fc.record({
  start: fc.nat(SLOTS * 2),
  hours: fc.constantFrom(1, 1, 1, 1, 1, TWO_YEARS),
});

/** Bookings and events side by side, of which the last can take two years. Some of the bookings want to go to any other time. */
const layout = fc
  .record({
    kinds: fc.array(fc.constantFrom('nothing', 'booking', 'booking', 'booking', 'event'), {
      minLength: SLOTS,
      maxLength: SLOTS,
    }),
    targets: fc.array(fc.option(target), { minLength: SLOTS, maxLength: SLOTS }),
  })
  .map(({ kinds, targets }) => {
    const list = (wanted: string, toId: (n: number) => string | null) =>
      kinds.flatMap((kind, n) =>
        kind === wanted ? [toSlot(toId(n), n * 2, n === SLOTS - 1 ? TWO_YEARS : 1)] : [],
      );
    const events = list('event', () => null);
    const bookings = list('booking', (n) => `${n}`);
    const moves = bookings.flatMap((from) => {
      const target = targets[Number(from.id)] ?? null;
      return target === null ? [] : [{ from, to: toSlot(from.id, target.start, target.hours) }];
    });
    const moving = new Set(moves.map(({ from }) => from));
    const staying = bookings.filter((booking) => !moving.has(booking));
    return { moves, occupied: [...staying, ...events] };
  });

test('never moves two to one time, and leaves no booking that could move alone', () => {
  checkProperty(
    fc.property(layout, ({ moves, occupied }) => {
      const { possible, conflicts } = planMoves(moves, occupied);
      expect(new Set([...possible, ...conflicts.keys()])).toEqual(new Set(moves));
      const after: OccupiedSlot[] = [
        ...occupied,
        ...possible.map(({ to }) => to),
        ...[...conflicts.keys()].map(({ from }) => from),
      ];
      const overlaps = after.filter((slot, n) =>
        after.some((other, m) => m !== n && isOverlapping(slot, other)),
      );
      // One assertion each would take most of the time.
      const texts = new Set(after.map((slot) => JSON.stringify(slot)));
      const wrong = [...conflicts].filter(
        ([{ from, to }, slot]) =>
          slot === from || !isOverlapping(slot, to) || !texts.has(JSON.stringify(slot)),
      );
      expect({ overlaps, wrong }).toEqual({ overlaps: [], wrong: [] });
    }),
    { numRuns: 2_000 },
  );
});

test('moves all bookings that only swap their times', () => {
  const places = Array.from({ length: SLOTS }, (_, n) => n * 2);
  const swapped = fc.shuffledSubarray(places, { minLength: SLOTS });
  checkProperty(
    fc.property(swapped, (targets) => {
      const moves = targets.map((target, n) => ({
        from: toSlot(`${n}`, n * 2),
        to: toSlot(`${n}`, target),
      }));
      expect(planMoves(moves, [toSlot(null, SLOTS * 2)]).possible).toEqual(moves);
    }),
  );
});

test('plans a long calendar of bookings that are in the way of each other', () => {
  // Such as from 9 to 10 o'clock, and from 10 to half past.
  const pairs = Array.from({ length: 5_000 }, (_, n) => {
    const [first, second] = [toSlot(`a${n}`, n * 8), toSlot(`b${n}`, n * 8 + 2)];
    return [
      { from: first, to: toSlot(first.id, n * 8 + 2) },
      { from: second, to: toSlot(second.id, n * 8 + 3) },
    ] as const;
  });
  const { possible, conflicts } = planMoves(pairs.flat(), []);
  expect(possible).toEqual(pairs.map(([, move]) => move));
  expect([...conflicts]).toEqual(pairs.map(([move, { to }]) => [move, to]));
});

test('plans a long calendar of entries that take two years', () => {
  const moves = Array.from({ length: 5_000 }, (_, n) => ({
    from: toSlot(`${n}`, n * 4),
    to: toSlot(`${n}`, n * 4 + 2, TWO_YEARS),
  }));
  const { possible, conflicts } = planMoves(moves, []);
  expect(possible).toEqual(moves.slice(-1));
  expect(conflicts.size).toBe(4_999);
});
