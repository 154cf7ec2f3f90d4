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
  await addCopies();
  await addRowsForLists(app, { count: 2, name: 'more', day: '2026-09-26' });
  expect(await countPages()).toEqual(STATEMENTS);
});

/** So many rows are more than any statement takes at once. */
const MANY = 21;

/** What differs in each copy of a row, by the number n of the copy. */
const COPIED: Record<string, string> = {
  announcements: '',
  closures: '',
  day_passes: "'code', 'DAY' || n, 'position', 10 + n",
  mailings: '',
  members:
    "'code', 'PERSON' || n, 'email', 'person' || n || '@example.org', 'customer_number', null",
  plans: "'name', 'Plan ' || n",
  payments: "'ref', 'copy:' || n",
  refunds: "'ref', null",
  tickets: "'code', 'COPY' || n, 'position', 10 + n",
};

/** Copies a row of each of these tables, and of the order if it has them. */
async function addCopies() {
  await app.ctx.db.closure.create({
    data: {
      locationId: ids.location,
      startsOn: new Date('2027-01-01'),
      endsOn: new Date('2027-01-02'),
    },
  });
  for (const [table, changes] of Object.entries(COPIED)) {
    const ofOrder = /payments|refunds|tickets/.test(table) ? `WHERE order_id = '${orderId}'` : '';
    await app.database.pool.query(`
      INSERT INTO ${table} SELECT copy.* FROM (SELECT * FROM ${table} ${ofOrder} LIMIT 1) original,
        generate_series(1, ${MANY}) n, jsonb_populate_record(NULL::${table}, to_jsonb(original)
          || jsonb_build_object('id', md5('${table}' || n)::uuid) || jsonb_build_object(${changes})) copy`);
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
