import type { Context } from '../../src/context.ts';
import { importInTurn } from '../../src/features/imports/service/import-queue.ts';
import { createDeferred } from '../support/deferred.ts';
import { createStaffUser } from '../support/factories/people.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

it.each([
  ['was signed out', 'UNAUTHENTICATED', { sessions: { deleteMany: {} } }],
  ['was disabled', 'UNAUTHENTICATED', { disabledAt: new Date(0) }],
  ['became front desk', 'FORBIDDEN', { role: 'front_desk' as const }],
  ['stayed', undefined, {}],
])('an import that waited runs as its viewer may at that time, who %s', async (_, code, data) => {
  const { email, session } = await createStaffUser(app);
  await session();
  const where = { email };
  const user = await app.ctx.db.user.findUniqueOrThrow({ where, include: { sessions: true } });
  const sessionId = user.sessions[0]?.id ?? '';
  const viewer = { kind: 'staff' as const, id: user.id, name: user.name, role: 'manager' as const };
  const ctx: Context = { ...app.ctx, viewer: { ...viewer, sessionId } };
  const { promise: held, resolve: release } = createDeferred<void>();
  const first = importInTurn(app.ctx, () => held);
  const second = importInTurn(ctx, async () => undefined).catch((error) => error.code);
  await app.ctx.db.user.update({ where, data });
  release();
  await first;
  expect(await second).toBe(code);
});
