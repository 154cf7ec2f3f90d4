import fc from 'fast-check';
import {
  comparePartialPlan,
  createComparison,
  createQueryCallers,
  type QueryCaller,
} from '../support/clients/planned-queries.ts';
import { addRowsForLists } from '../support/factories/lists.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';
import { createQueryArbitrary, readIds } from '../support/models/graphql-queries.ts';

// PostgreSQL writes the responses of planned queries. They must equal those of the resolvers, in the order of the keys too.

let app: TestApp;
let callers: Record<string, QueryCaller>;

beforeAll(async () => {
  app = await startApp();
  const { member } = await addRowsForLists(app);
  await addRowsOfSpaces(member.id);
  callers = await createQueryCallers(app, member);
});
afterAll(() => app.stop());

/** Adds calendar feeds, and day passes that are sold out on a date. */
async function addRowsOfSpaces(memberId: string) {
  const { db } = app.ctx;
  const { id: resourceId } = await db.resource.findFirstOrThrow();
  const { id: createdById } = await db.user.findUniqueOrThrow({ where: { email: STAFF.manager } });
  for (const [n, subject] of [{ memberId }, { resourceId }].entries())
    await db.calendarFeed.create({
      data: {
        ...subject,
        prefix: `cal_${n}`,
        hash: Buffer.from([n]),
        createdById,
        createdAt: app.clock.now,
      },
    });
  await db.$executeRaw`UPDATE day_pass_days SET capacity = reserved_count WHERE date = '2026-03-19'`;
}

it('equal the responses of the resolvers for every caller', async () => {
  const compare = createComparison(app);
  await checkProperty(
    fc.asyncProperty(
      createQueryArbitrary(await readIds(app)),
      fc.constantFrom(...Object.keys(callers)),
      async (selection, caller) => {
        const { planned, executed } = await compare(
          `{ ${selection} }`,
          callers[caller] as QueryCaller,
        );
        // Too many aliases, or too much at once: the document is rejected before it is ever planned.
        if (executed.includes('QUERY_TOO_COMPLEX')) return;
        // Owners have every access, so that nothing of these fields is left to the resolvers.
        if (planned !== null || caller === 'owner') expect(planned).toBe(executed);
      },
    ),
    { numRuns: propertyRuns(60) },
  );
});

/** Compiled queries can report more errors than graphql-js once the data is null. */
const hideErrors = (response: string): string =>
  JSON.stringify(JSON.parse(response), (key, value) => (key === 'errors' ? true : value));

it('equal them if resolvers answer a part', async () => {
  const owner = callers.owner as QueryCaller;
  let plannedCount = 0;
  await checkProperty(
    fc.asyncProperty(
      createQueryArbitrary(await readIds(app), undefined, true),
      fc.constantFrom(...Object.keys(callers)),
      async (selection, caller) => {
        const { isPlanned, answered, executed } = await comparePartialPlan(
          app,
          `{ ${selection} }`,
          callers[caller] as QueryCaller,
          owner,
        );
        if (isPlanned) plannedCount += 1;
        expect(hideErrors(answered)).toBe(hideErrors(executed));
      },
    ),
    { numRuns: propertyRuns(25) },
  );
  expect(plannedCount).toBeGreaterThan(0);
});
