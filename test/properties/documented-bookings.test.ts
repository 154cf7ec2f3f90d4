import fc from 'fast-check';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { propertyRuns } from '../support/harness/property-runs.ts';
import {
  type Callers,
  createCallers,
  createStage,
} from '../support/models/documented-bookings-stage.ts';
import { counts, runStep } from '../support/models/documented-bookings-steps.ts';
import { arbitraryStep, arbitraryWorld } from '../support/models/documented-bookings-worlds.ts';

const RUNS = propertyRuns(8);
const STEPS = { minLength: 8, maxLength: 25, size: 'max' } as const;
const SEED = process.env.PROPERTY_SEED;

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

describe('the documented booking rules', () => {
  it('decide about bookings, moves, slots, prices, fees and usage as in a second implementation', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryWorld, fc.array(arbitraryStep, STEPS), async (plan, steps) => {
        const stage = await createStage(app, callers, plan);
        for (const step of steps) await runStep(stage, step);
      }),
      {
        numRuns: RUNS,
        endOnFailure: process.env.SHRINK === undefined,
        ...(SEED === undefined ? {} : { seed: Number(SEED) }),
      },
    );
  }, 3_600_000);
});
