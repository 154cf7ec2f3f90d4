import fc from 'fast-check';
import { type ExecutionArgs, execute, parse } from 'graphql';
import type { Viewer } from '../../src/auth/viewer.ts';
import type { Context } from '../../src/context.ts';
import { listOccupancy } from '../../src/features/check-ins/service/occupancy.ts';
import { listDisplays } from '../../src/features/displays/service/manage-displays.ts';
import type { DisplayStatusEvent } from '../../src/features/displays/service/status-changes.ts';
import { createLoaders } from '../../src/graphql/dataloaders.ts';
import { createListLoaders } from '../../src/graphql/list-loaders.ts';
import { planSubscription } from '../../src/graphql/planned/planned-subscriptions.ts';
import { schema } from '../../src/graphql/schema.ts';
import { addRowsForLists } from '../support/factories/lists.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';
import { createSubscriptionArbitrary, readIds } from '../support/models/graphql-queries.ts';

// PostgreSQL writes the responses to events. They must equal those of the resolvers, in the order of the keys too.

const ROOTS = ['check-ins:read', 'displays:read'];
const toToken = (...scopes: string[]): Viewer => ({ kind: 'token', id: 'x', name: 'x', scopes });
const toStaff = (role: 'owner' | 'front_desk'): Viewer => ({
  kind: 'staff',
  id: 'x',
  name: 'x',
  role,
  sessionId: 'x',
});
const VIEWERS: Record<string, Viewer> = {
  owner: toStaff('owner'),
  frontDesk: toStaff('front_desk'),
  subscriptions: toToken(...ROOTS),
  spaces: toToken(...ROOTS, 'spaces:read', 'events:read'),
  orders: toToken(...ROOTS, 'bookings:read', 'orders:read', 'members:read'),
};

let app: TestApp;
let events: Record<string, unknown[]>;

beforeAll(async () => {
  app = await startApp();
  await addRowsForLists(app);
  events = {
    occupancyChanged: await listOccupancy(app.ctx),
    displayStatusChanged: await createStatusEvents(app.ctx),
  };
});
afterAll(() => app.stop());

/** An event for each display. Their values differ from those that are stored. */
async function createStatusEvents(ctx: Context): Promise<DisplayStatusEvent[]> {
  const statuses = ['stale', 'offline', 'online', 'revoked'] as const;
  const { items } = await listDisplays(ctx, {}, { limit: 8 });
  return items.map((display, n) => ({
    display,
    previousStatus: statuses[n % 4] ?? 'online',
    status: statuses[(n + 1) % 4] ?? 'online',
    at: new Date(app.clock.now.getTime() - n * 1_001),
  }));
}

/** Answers an event of a subscription with PostgreSQL and with resolvers. Skips subscriptions that need no statement. */
async function answer(selection: string, event: unknown, viewer: Viewer) {
  const document = parse(`subscription { ${selection} }`);
  const ctx = { ...app.ctx, viewer };
  const contextValue = { ctx, loaders: createLoaders(ctx), lists: createListLoaders(ctx) };
  const args: ExecutionArgs = { schema, document, contextValue, rootValue: event };
  const plan = planSubscription(args);
  fc.pre(plan !== null);
  return {
    planned: await plan.read(ctx, event),
    executed: await execute(args),
  };
}

it.each(['occupancyChanged', 'displayStatusChanged'])(
  'equal the responses of the resolvers to events of %s for every caller',
  async (name) => {
    let plannedCount = 0;
    await checkProperty(
      fc.asyncProperty(
        createSubscriptionArbitrary(await readIds(app), name),
        fc.constantFrom(...(events[name] ?? [])),
        fc.constantFrom(...Object.keys(VIEWERS)),
        async (selection, event, caller) => {
          const { planned, executed } = await answer(selection, event, VIEWERS[caller] as Viewer);
          if (planned !== null) plannedCount += 1;
          // Owners have every access, so that nothing of these fields is left to the resolvers.
          if (planned !== null || caller === 'owner')
            expect(JSON.stringify(planned)).toBe(JSON.stringify(executed));
        },
      ),
      { numRuns: propertyRuns(60) },
    );
    expect(plannedCount).toBeGreaterThan(0);
  },
);
