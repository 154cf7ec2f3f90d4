import fc from 'fast-check';
import type { Context } from '../../src/context.ts';
import type { DomainError } from '../../src/errors.ts';
import {
  createBooking,
  previewBooking,
} from '../../src/features/bookings/commands/create-booking.ts';
import { findAvailability } from '../../src/features/bookings/queries/availability.ts';
import { DAY, type Model, slotsOf } from '../support/booking-model.ts';
import { COMMANDS, type Real } from '../support/booking-model-commands.ts';
import { FIRST_DAY, reset, type Stage, setStage } from '../support/booking-model-stage.ts';
import { type Question, questions } from '../support/booking-questions.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { overlapsIn } from '../support/races.ts';

const RUNS = propertyRuns(40);
const MOST_COMMANDS = 30;
const SLOT_MINUTES = 60;

let stored: TestDatabase;
let stage: Stage;

beforeAll(async () => {
  stored = await openTestDatabase();
  stage = await setStage(stored.ctx);
});
afterAll(() => stored.close());

/** What is live, in the order of time. */
async function liveBookings({ db }: Context) {
  const rows = await db.booking.findMany({
    where: { status: { in: ['pending', 'confirmed'] } },
    orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map((row) => ({
    id: row.id,
    resourceId: row.resourceId,
    memberId: row.memberId,
    start: row.startsAt.getTime(),
    end: row.endsAt.getTime(),
    until: row.occupiedUntil.getTime(),
    price: row.priceAmount,
    included: row.includedMinutes,
  }));
}

const liveOf = ({ bookings }: Model) =>
  bookings
    .filter(({ live }) => live)
    .sort((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1))
    .map(({ id, room, person, start, end, until, price, included }) => ({
      id,
      resourceId: room.id,
      memberId: person?.id ?? null,
      start,
      end,
      until,
      price,
      included,
    }));

/** Two of the days, another pair each time. */
async function expectSameSlots(ctx: Context, model: Model, turn: number): Promise<void> {
  const start = FIRST_DAY + (turn % 5) * DAY;
  const span = { start, end: start + 2 * DAY };
  const found = await findAvailability(
    ctx,
    { locationId: stage.locationId },
    { from: new Date(span.start), to: new Date(span.end), minutes: SLOT_MINUTES },
  );
  const offered = found.map((one) => [
    one.resource.id,
    one.slots().map(({ startsAt }) => Date.parse(startsAt)),
  ]);
  const expected = model.rooms
    .filter(({ active }) => active)
    .map((room) => [room.id, slotsOf(model, room, span, SLOT_MINUTES)]);
  expect(offered).toEqual(expected);
}

describe('whatever people do, in whatever order', () => {
  it('bookings, refusals, prices and free slots are those of a simple model', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(COMMANDS, { maxCommands: MOST_COMMANDS, size: 'max' }),
        (commands) =>
          fc.asyncModelRun(async () => {
            const model = await reset(stored.ctx, stage);
            const ctx = { ...stored.ctx, now: () => new Date(model.now) };
            let turn = 0;
            const compare = async () => {
              turn += 1;
              expect(await overlapsIn(stored.database)).toBe(0);
              expect(await liveBookings(ctx)).toEqual(liveOf(model));
              await expectSameSlots(ctx, model, turn);
            };
            const real: Real = { ctx, stage, compare };
            return { model, real };
          }, commands),
      ),
      { numRuns: RUNS },
    );
  }, 600_000);
});

describe('a preview and the booking itself', () => {
  let seeded: TestDatabase;
  beforeAll(async () => {
    seeded = await openTestDatabase('seeded');
  });
  afterAll(() => seeded.close());

  /** What it answers or throws. */
  const outcome = <T>(work: Promise<T>) =>
    work.then(
      (answer) => ({ answer, thrown: null }),
      (thrown: DomainError) => ({ answer: null, thrown }),
    );

  async function expectAgreement({ viewer, input }: Question): Promise<void> {
    const ctx = { ...seeded.ctx, viewer };
    const { answer: verdict, thrown: unthinkable } = await outcome(previewBooking(ctx, input));
    const { answer: booking, thrown } = await outcome(createBooking(ctx, input));
    if (verdict === null) {
      expect(thrown).toEqual(unthinkable);
      expect(thrown?.name).toBe('DomainError');
      expect(thrown?.details).toEqual(unthinkable?.details);
    } else if (verdict.allowed) {
      expect(thrown).toBeNull();
      const { price, status } = verdict;
      expect(booking).toMatchObject({ price, status, startsAt: input.startsAt.toISOString() });
      expect(verdict.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(price.amount);
    } else {
      const { reasons, collisions, alternatives } = verdict;
      const [first] = reasons;
      expect(thrown?.details).toEqual({
        reason: first?.reason,
        reasons,
        collisions,
        alternatives,
      });
      expect(thrown?.code).toBe(first?.reason === 'SLOT_TAKEN' ? 'CONFLICT' : 'VALIDATION');
    }
  }

  it('never disagree, whoever asks for whatever', async () => {
    await fc.assert(fc.asyncProperty(await questions(seeded.ctx), expectAgreement), {
      numRuns: RUNS * 10,
    });
  }, 600_000);
});
