import fc from 'fast-check';
import type { Context } from '../../src/context.ts';
import type { DomainError } from '../../src/errors.ts';
import { findAvailability } from '../../src/features/bookings/service/availability.ts';
import {
  createBooking,
  previewBooking,
} from '../../src/features/bookings/service/create-booking.ts';
import { countOverlaps } from '../support/clients/booking-race.ts';
import { openTestDatabase, type TestDatabase } from '../support/harness/database.ts';
import { propertyRuns } from '../support/harness/property-runs.ts';
import { arbitraryBookingInputs, type BookingQuestion } from '../support/models/booking-inputs.ts';
import { DAY, findFreeSlots, type Model } from '../support/models/booking-model.ts';
import { COMMANDS, type Real } from '../support/models/booking-model-commands.ts';
import {
  createModelStage,
  FIRST_DAY,
  type ModelStage,
  resetModel,
} from '../support/models/booking-model-stage.ts';

const RUNS = propertyRuns(12);
const MAX_COMMANDS = 30;
const SLOT_MINUTES = 60;

let stored: TestDatabase;
let stage: ModelStage;

beforeAll(async () => {
  stored = await openTestDatabase();
  stage = await createModelStage(stored.ctx);
});
afterAll(() => stored.close());

/** Live bookings in order of time. */
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

const listLive = ({ bookings }: Model) =>
  bookings
    .filter(({ isLive }) => isLive)
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

/** Two of the days, another pair in each run. */
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
    .map((room) => [room.id, findFreeSlots(model, { room, person: null }, span, SLOT_MINUTES)]);
  expect(offered).toEqual(expected);
}

describe('any sequence of commands', () => {
  it('leads to the bookings, rejections, prices and free slots of a simple model', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(COMMANDS, { maxCommands: MAX_COMMANDS, size: 'max' }),
        (commands) =>
          fc.asyncModelRun(async () => {
            const model = await resetModel(stored.ctx, stage);
            const ctx = { ...stored.ctx, now: () => new Date(model.now) };
            let turn = 0;
            const compare = async () => {
              turn += 1;
              expect(await countOverlaps(stored.database)).toBe(0);
              expect(await liveBookings(ctx)).toEqual(listLive(model));
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

  /** The result or the error. */
  const settle = <T>(work: Promise<T>) =>
    work.then(
      (response) => ({ result: response, thrown: null }),
      (thrown: DomainError) => ({ result: null, thrown }),
    );

  async function expectAgreement({ viewer, input }: BookingQuestion): Promise<void> {
    const ctx = { ...seeded.ctx, viewer };
    const { result: preview, thrown: previewError } = await settle(previewBooking(ctx, input));
    const { result: booking, thrown } = await settle(createBooking(ctx, input));
    if (preview === null) {
      expect(thrown).toEqual(previewError);
      expect(thrown?.name).toBe('DomainError');
      expect(thrown?.details).toEqual(previewError?.details);
    } else if (preview.allowed) {
      expect(thrown).toBeNull();
      const { price, status } = preview;
      expect(booking).toMatchObject({ price, status, startsAt: input.startsAt.toISOString() });
      expect(preview.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(price.amount);
    } else {
      const { reasons, collisions, alternatives } = preview;
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

  it('always agree, for any caller and input', async () => {
    await fc.assert(fc.asyncProperty(await arbitraryBookingInputs(seeded.ctx), expectAgreement), {
      numRuns: RUNS * 10,
    });
  }, 600_000);
});
