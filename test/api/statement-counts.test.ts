import fc from 'fast-check';
import {
  findPanelIds,
  getPanelQuery,
  PANEL_PAGES,
  type PanelIds,
  permit,
} from '../support/clients/panel-pages.ts';
import { addRowsForLists } from '../support/factories/lists.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';
import { captureStatements, isOfPlannedQuery } from '../support/harness/query-plans.ts';
import { createQueryArbitrary, readIds } from '../support/models/graphql-queries.ts';

// The number of statements of a GraphQL request depends on its document alone, not on how many rows its lists have.

let app: TestApp;
let cookie: string;
let ids: PanelIds;
let orderId: string;

beforeAll(async () => {
  app = await startApp();
  cookie = await app.signIn(STAFF.owner);
  const { event, member } = await addRowsForLists(app, { count: 1 });
  const order = await app.ctx.db.order.findFirstOrThrow({ where: { eventId: event.id } });
  orderId = order.id;
  const found = await findPanelIds(app, await app.token('*'));
  ids = { ...found, event: event.id, member: member.id };
});
afterAll(() => app.stop());

interface Counted {
  statements: number;
  planned: number;
  data: Record<string, unknown> | null;
}

const AUTHENTICATION = 1;

/** Sends a document and counts its statements. The last use of a session is written in the background. */
async function count(text: string, variables: object): Promise<Counted> {
  let data: Counted['data'] = null;
  const sent = await captureStatements(async () => {
    const response = await app.graphql(text, variables, { cookie });
    expect(response.errors).toEqual([]);
    data = response.data;
  });
  const statements = sent.filter(
    ({ text }) => !/^\s*(UPDATE|WITH)[\s\S]*last_(used|active)_at/.test(text),
  );
  const planned = statements.filter(isOfPlannedQuery).length;
  return { statements: statements.length, planned, data };
}

/** Counts the statements of the third request. The first one is learned, the second one planned if projections cover it. */
async function countPlanned(text: string, variables: object): Promise<Counted> {
  await app.graphql(text, variables, { cookie });
  await app.graphql(text, variables, { cookie });
  return count(text, variables);
}

/**
 * The statements of each page for an owner: one for the authentication, and one for each root field of a planned query.
 * `EventPage` and `ResourcePage` have a field that resolvers answer.
 */
const STATEMENTS: Record<string, { planned: boolean; statements: number }> = {
  BookingsPage: { planned: true, statements: 3 },
  Displays: { planned: true, statements: 4 },
  EventList: { planned: true, statements: 3 },
  EventPage: { planned: true, statements: 3 },
  FrontDesk: { planned: true, statements: 5 },
  LocationPage: { planned: true, statements: 2 },
  MemberPage: { planned: true, statements: 2 },
  Members: { planned: true, statements: 4 },
  OrderList: { planned: true, statements: 5 },
  ResourcePage: { planned: true, statements: 5 },
};

it('counts the statements of a page of the panel, whatever the length of its lists', async () => {
  const countPages = async () => {
    const counts: Record<string, { planned: boolean; statements: number }> = {};
    for (const page of PANEL_PAGES) {
      const text = getPanelQuery(page);
      const { statements, planned } = await countPlanned(text, {
        ...page.variables(ids),
        ...permit(text, true),
      });
      counts[page.name] = { planned: planned > 0, statements };
    }
    return counts;
  };
  expect(await countPages()).toEqual(STATEMENTS);
  await addRowsForLists(app, { count: 6, name: 'more', day: '2026-09-26' });
  await addMoreRows();
  expect(await countPages()).toEqual(STATEMENTS);
});

/** Adds rows of the kinds that `addRowsForLists` leaves out, and tickets to the order. */
async function addMoreRows() {
  const { db } = app.ctx;
  const ticket = await db.ticket.findFirstOrThrow({ where: { orderId: orderId } });
  const { locationId, startsOn, endsOn } = {
    locationId: ids.location,
    startsOn: new Date('2027-01-01'),
    endsOn: new Date('2027-01-02'),
  };
  for (let index = 0; index < 6; index += 1) {
    const { id: _, ...copy } = ticket;
    await db.ticket.create({ data: { ...copy, code: `COPY${index}`, position: 10 + index } });
    await db.closure.create({ data: { locationId, startsOn, endsOn } });
    await db.plan.create({
      data: { name: `Plan ${index}`, benefits: { create: { resourceType: 'room' } } },
    });
    await db.member.create({
      data: {
        name: `Person ${index}`,
        email: `person${index}@example.org`,
        code: `PERSON${index}`,
      },
    });
    await db.refund.create({
      data: {
        orderId: orderId,
        paymentId: (await db.payment.findFirstOrThrow({ where: { orderId: orderId } })).id,
        amount: 1,
      },
    });
  }
}

it('counts the statements of any planned document, whatever the length of its lists', async () => {
  await checkProperty(
    fc.asyncProperty(createQueryArbitrary(await readIds(app), ['first: $n']), async (selection) => {
      const text = `query ($n: Int!) { ${selection} # $n
        first: teams(first: $n) { nodes { id } } }`;
      const { codes } = await app.graphql(text, { n: 3 }, { cookie });
      if (codes.length > 0) return; // too many aliases, or too much at once
      for (const n of [1, 3]) {
        const { statements, planned, data } = await countPlanned(text, { n });
        const roots = Object.keys(data ?? {}).length;
        expect({ text, n, statements, planned }).toEqual({
          text,
          n,
          statements: roots + AUTHENTICATION,
          planned: roots,
        });
      }
    }),
    { numRuns: propertyRuns(12) },
  );
});
