import { v7 } from 'uuid';
import { type Context, runInTransaction } from '../../src/context.ts';
import { lockBookings } from '../../src/features/imports/service/change-bookings.ts';
import { lockEvents } from '../../src/features/imports/service/change-events.ts';
import { toNotes } from '../../src/features/imports/service/imports.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { captureStatements } from '../support/harness/query-plans.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ content: 'empty' });
});
afterAll(() => app.stop());

/** With more values, Prisma sends several statements, of which the last can run after their transaction. */
const MAX_VALUES = 32_767;
const ids = Array.from({ length: MAX_VALUES + 1 }, () => v7());

it.each<[string, (ctx: Context) => Promise<unknown[]>]>([
  ['bookings', (ctx) => lockBookings(ctx, ids)],
  ['events', (ctx) => lockEvents(ctx, ids)],
  ['lines', (ctx) => toNotes(ctx, v7(), new Map(ids.map((id) => [id, 'It is paid.'])))],
])('reads %s in statements that Prisma does not split', async (_, read) => {
  const statements = await captureStatements(() => runInTransaction(app.ctx, read));
  const counts = statements.map(({ values }) => values.length);
  expect(counts.length).toBeGreaterThan(0);
  expect(Math.max(...counts)).toBeLessThan(MAX_VALUES / 10);
});
