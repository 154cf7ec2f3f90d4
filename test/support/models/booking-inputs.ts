import fc from 'fast-check';
import { v7 } from 'uuid';
import { system, type Viewer } from '../../../src/auth/viewer.ts';
import type { Context } from '../../../src/context.ts';
import type { BookingInput } from '../../../src/features/bookings/holder-and-times.ts';

export interface BookingQuestion {
  viewer: Viewer;
  input: BookingInput;
}

const MINUTE = 60_000;

/** Mostly valid booking inputs, by callers with and without permission. */
export async function arbitraryBookingInputs({
  db,
  now,
}: Context): Promise<fc.Arbitrary<BookingQuestion>> {
  const resources = (await db.resource.findMany()).map(({ id }) => id);
  const members = (await db.member.findMany()).map(({ id }) => id);
  const quarter = Math.ceil(now().getTime() / (15 * MINUTE)) * 15 * MINUTE;

  const start = fc.oneof(
    { weight: 6, arbitrary: at(fc.integer({ min: -24, max: 21 * 24 }), 60 * MINUTE) },
    { weight: 3, arbitrary: at(fc.integer({ min: -96, max: 60 * 96 }), 15 * MINUTE) },
    { weight: 1, arbitrary: at(fc.integer({ min: -1_000, max: 60_000 }), 61_007) },
    { weight: 1, arbitrary: at(fc.integer({ min: -12, max: 12 }), 366 * 1_440 * MINUTE) },
  );
  const minutes = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(30, 60, 90, 120, 180) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 1_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(-60, 0, 0.5, 8 * 1_440, 31 * 1_440, 32 * 1_440) },
  );
  const memberId = fc.constantFrom(...members);
  const guest = fc.constant({ name: 'Gisa Guest' });
  const holder = fc.oneof(
    { weight: 8, arbitrary: fc.record({ memberId }) },
    { weight: 4, arbitrary: fc.record({ guest }) },
    { weight: 1, arbitrary: fc.record({ memberId, guest }) },
    { weight: 1, arbitrary: fc.constantFrom({}, { memberId: v7() }, { memberId: 'invalid' }) },
  );
  const viewer = fc.oneof(
    { weight: 3, arbitrary: fc.constant<Viewer>(system) },
    {
      weight: 1,
      arbitrary: memberId.map(
        (id): Viewer => ({ kind: 'member', id, name: 'Member', sessionId: v7() }),
      ),
    },
  );
  return fc
    .record({
      viewer,
      resourceId: fc.oneof(
        { weight: 30, arbitrary: fc.constantFrom(...resources) },
        fc.constantFrom(v7(), 'nothing'),
      ),
      start,
      minutes,
      holder,
      own: fc.boolean(),
      override: fc.constantFrom(undefined, undefined, false, true),
    })
    .map(({ viewer, resourceId, start, minutes, holder, own, override }) => ({
      viewer,
      input: {
        resourceId,
        startsAt: new Date(start),
        endsAt: new Date(start + minutes * MINUTE),
        override,
        // Members mostly book for themselves without naming a holder.
        ...(viewer.kind === 'member' && own ? {} : holder),
      },
    }));

  function at(steps: fc.Arbitrary<number>, step: number) {
    return steps.map((count) => quarter + count * step);
  }
}
