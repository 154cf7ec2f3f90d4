import fc from 'fast-check';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, generateOne, propertyRuns } from '../support/harness/property-runs.ts';
import type { Booked } from '../support/models/documented-bookings.ts';
import { counts } from '../support/models/documented-bookings-comparisons.ts';
import {
  createBooking,
  moveBooking,
  previewBooking,
  previewMove,
} from '../support/models/documented-bookings-requests.ts';
import {
  type Callers,
  createCallers,
  createStage,
  type Stage,
} from '../support/models/documented-bookings-stage.ts';
import { runStep } from '../support/models/documented-bookings-steps.ts';
import { arbitraryStep, arbitraryWorld } from '../support/models/documented-bookings-worlds.ts';

const RUNS = propertyRuns(8);
const STEPS = { minLength: 8, maxLength: 25, size: 'max' } as const;

let app: TestApp;
let callers: Callers;

beforeAll(async () => {
  app = await startApp({ content: 'empty' });
  callers = await createCallers(app);
});
afterAll(async () => {
  await app.stop();
  if (process.env.SHOW_COUNTS !== undefined) process.stdout.write(`${JSON.stringify(counts)}\n`);
});

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Sends each time as a booking and as a move, with and without an override. */
async function expectRefusals(
  stage: Stage,
  invalid: [start: number, end: number, reason: string][],
): Promise<void> {
  const [resource] = stage.resources;
  if (!resource) throw new Error('the world has no resource');
  const as = callers.token;
  const kept = { resource, person: null, byMember: false, override: true };
  const at = stage.world.now + 10 * DAY;
  const made = await createBooking(stage, as, { ...kept, start: at, end: at + 60 * MINUTE });
  const moved = { id: made.value.booking.id } as Booked;
  for (const override of [false, true])
    for (const [start, end, reason] of invalid) {
      const requested = { ...kept, start, end, override, moved };
      const outcomes = [
        await previewBooking(stage, as, requested),
        await createBooking(stage, as, requested),
        await previewMove(stage, as, requested),
        await moveBooking(stage, as, requested),
      ];
      const expected = { code: 'VALIDATION', reason, reasons: null };
      expect(outcomes.map(({ error }) => error)).toEqual(outcomes.map(() => expected));
    }
}

describe('invalid times', () => {
  it('are rejected for the same reason in previews, bookings and moves', async () => {
    const plan = generateOne(arbitraryWorld);
    const [room, other] = plan.resources;
    const open = { ...plan, hours: [], closures: [] };
    const rules = {
      grid: 60,
      min: 60,
      max: 120,
      notice: 0,
      buffer: 0,
      daysAhead: 30,
      active: true,
    };
    const stage = await createStage(app, callers, {
      ...open,
      resources: [{ ...room, ...rules }, other],
    });
    const start = stage.world.now + 3 * DAY - (stage.world.now % DAY);
    const invalid: [number, number, string][] = [
      [start, start, 'ZERO_LENGTH'],
      [start, start - 60 * MINUTE, 'ENDS_BEFORE_START'],
      [start + 30_000, start + 60 * MINUTE, 'NOT_WHOLE_MINUTES'],
      [start, start + 60 * MINUTE + 1, 'NOT_WHOLE_MINUTES'],
      [start, start + 32 * DAY, 'TOO_LONG'],
      [start + 4_020 * DAY, start + 4_020 * DAY + 60 * MINUTE, 'TOO_FAR_AHEAD'],
    ];
    await expectRefusals(stage, invalid);
  });
});

describe('the documented booking rules', () => {
  it('decide about bookings, moves, slots, prices, fees and usage as in a second implementation', async () => {
    await checkProperty(
      fc.asyncProperty(arbitraryWorld, fc.array(arbitraryStep, STEPS), async (plan, steps) => {
        const stage = await createStage(app, callers, plan);
        for (const step of steps) await runStep(stage, step);
      }),
      {
        numRuns: RUNS,
        endOnFailure: process.env.SHRINK === undefined,
      },
    );
  }, 3_600_000);
});
