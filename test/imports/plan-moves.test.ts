import fc from 'fast-check';
import {
  isOverlapping,
  type OccupiedSlot,
} from '../../src/features/imports/service/booking-conflicts.ts';
import { planMoves } from '../../src/features/imports/service/plan-moves.ts';

const SLOTS = 12;

const toSlot = (id: string, start: number): OccupiedSlot => ({
  ...{ id, title: null, importUid: null },
  startsAt: new Date(start),
  endsAt: new Date(start + 2),
  occupiedUntil: new Date(start + 2),
});

/** Bookings side by side, some of which want to go to any other time. */
const layout = fc
  .record({
    kept: fc.array(fc.boolean(), { minLength: SLOTS, maxLength: SLOTS }),
    targets: fc.array(fc.option(fc.nat(SLOTS * 2)), { minLength: SLOTS, maxLength: SLOTS }),
  })
  .map(({ kept, targets }) => {
    const bookings = kept.flatMap((isKept, n) => (isKept ? [toSlot(`${n}`, n * 2)] : []));
    const moves = bookings.flatMap((from) => {
      const target = targets[Number(from.id)] ?? null;
      return target === null ? [] : [{ from, to: toSlot(from.id ?? '', target) }];
    });
    const moving = new Set(moves.map(({ from }) => from));
    return { moves, staying: bookings.filter((booking) => !moving.has(booking)) };
  });

test('moves as many bookings as possible, and never two to one time', () => {
  fc.assert(
    fc.property(layout, ({ moves, staying }) => {
      const { possible, conflicts } = planMoves(moves, staying);
      expect(new Set([...possible, ...conflicts.keys()])).toEqual(new Set(moves));
      const after = [
        ...staying,
        ...possible.map(({ to }) => to),
        ...[...conflicts.keys()].map(({ from }) => from),
      ];
      const countOverlaps = (slot: OccupiedSlot, others: OccupiedSlot[]) =>
        others.filter((other) => other.id !== slot.id && isOverlapping(slot, other)).length;
      for (const slot of after) expect(countOverlaps(slot, after)).toBe(0);
      for (const { to } of conflicts.keys()) expect(countOverlaps(to, after)).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
});
