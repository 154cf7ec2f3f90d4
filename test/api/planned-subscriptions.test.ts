import type { ExecutionResult } from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import type { Credential } from '../support/clients/api.ts';
import { withExtension } from '../support/clients/planned-queries.ts';
import { openSubscription } from '../support/clients/subscriptions.ts';
import { STAFF, serveDatabase, startApp, type TestApp } from '../support/harness/app.ts';
import { captureStatements, isOfPlannedQuery } from '../support/harness/query-plans.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

// Events that PostgreSQL answers, over real streams.

let app: TestApp;
let observed: Awaited<ReturnType<typeof serveDatabase>>;
let polls = 0; // of the status of displays
let cookie: string;
let display: { id: string; locationId: string };
const ROOTS = ['check-ins:read', 'displays:read'];

beforeAll(async () => {
  app = await startApp();
  cookie = await app.signIn(STAFF.owner);
  display = await app.ctx.db.display.findFirstOrThrow({
    where: {
      heartbeat: { isNot: null },
      location: { checkIns: { some: {} } },
    },
  });
  const { pipelinedSql } = app.database;
  const database = {
    ...app.database,
    pipelinedSql: (...args: Parameters<typeof pipelinedSql>) => {
      if (isStatusPoll(args[0])) polls += 1;
      return pipelinedSql(...args);
    },
  } as TestApp['database'];
  observed = await serveDatabase(database, () => app.clock.now);
});
afterAll(async () => {
  await observed.close();
  await app.stop();
});

const isStatusPoll = ({ text }: { text: string }) => /FROM journal_head/.test(text);
const isPositionPoll = ({ text }: { text: string }) =>
  /FROM changes\s+WHERE position IS NULL/.test(text);
const isOccupancyPoll = ({ text }: { text: string }) => /\$2::uuid\[\] IS NULL/.test(text);
const isAuthentication = ({ text }: { text: string }) =>
  /FROM (api_tokens|sessions)|last_(used|active)_at/.test(text);

/** Opens a stream, causes an event, and returns its response. */
type Listen = (selection: string, credential: Credential) => Promise<ExecutionResult | undefined>;

const listenToOccupancy: Listen = (selection, credential) =>
  readFirst(
    `subscription { occupancyChanged(locationId: "${display.locationId}") ${selection} }`,
    credential,
  );

const listenToStatus: Listen = (selection, credential) =>
  readFirst(`subscription { displayStatusChanged ${selection} }`, credential, async () => {
    polls = 0;
    await waitUntil(() => polls > 1); // what the first poll finds is not sent
    await app.ctx.db.change.create({
      data: {
        ...{ type: 'display.stale', subjectId: display.id, actorKind: 'system' },
        ...{ before: { status: 'online' }, after: { status: 'stale' }, at: app.clock.now },
      },
    });
  });

async function readFirst(query: string, credential: Credential, causeEvent?: () => Promise<void>) {
  const stream = openSubscription(observed.url, query, credential);
  const response = stream.next();
  try {
    await causeEvent?.();
    return await response;
  } finally {
    stream.close();
  }
}

const LOCATION = `location {
  name resources(first: 1) { nodes { name } }
  checkIns(first: 2) { totalCount { value } nodes { result member { name } } }
}`;
const SUBSCRIPTIONS = [
  {
    name: 'occupancyChanged',
    listen: listenToOccupancy,
    own: '{ locationName capacity location { id name } }',
    related: `{ present ${LOCATION} capacity }`,
  },
  {
    name: 'displayStatusChanged',
    listen: listenToStatus,
    own: '{ previousStatus at status display { name status location { name } } }',
    related: `{ previousStatus at display { name statusChanges(last: 1) { at status } ${LOCATION} } }`,
  },
] as const;

/** Runs the work while resolvers answer all events of a subscription. */
const withoutPlan = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  withExtension(
    schema.getSubscriptionType()?.getFields()[name] as { extensions: Record<string, unknown> },
    'row',
    undefined,
    work,
  );

/** Counts the statements of a stream with one event. */
async function count(work: () => Promise<unknown>) {
  const sent = await captureStatements(work);
  const statements = sent.filter(
    (one) =>
      !isAuthentication(one) && !isStatusPoll(one) && !isPositionPoll(one) && !isOccupancyPoll(one),
  );
  const planned = statements.filter(isOfPlannedQuery);
  return { planned: planned.length, others: statements.length - planned.length };
}

const newToken = async (...scopes: string[]) => ({ token: await app.token(...ROOTS, ...scopes) });

// These come first: after an error, resolvers of the other fields still read.
describe.each(SUBSCRIPTIONS)('$name', ({ name, listen, own, related }) => {
  it('reads related rows in one statement, and fields of the event in none', async () => {
    const least = await count(() => listen('{ __typename }', { cookie }));
    expect(least.planned).toBe(0);
    expect(await count(() => listen(own, { cookie }))).toEqual(least);
    expect(await count(() => listen(related, { cookie }))).toEqual({ ...least, planned: 1 });
    const executed = await count(() => withoutPlan(name, () => listen(related, { cookie })));
    expect(executed.planned).toBe(0);
    expect(executed.others).toBeGreaterThan(least.others + 1);
  });
});

describe.each(SUBSCRIPTIONS)('$name', ({ name, listen, related }) => {
  it.each([
    ['an owner', async () => ({ cookie }), undefined],
    ['a token without access to members', () => newToken('spaces:read'), 'member'],
    ['a token without access to resources', () => newToken('members:read'), 'resources'],
  ])('has the response of the resolvers for %s', async (_, toCredential, missing) => {
    const credential = await toCredential();
    const executed = await withoutPlan(name, () => listen(related, credential));
    expect(executed?.errors?.[0]?.path?.at(-1)).toBe(missing);
    expect(await listen(related, credential)).toEqual(executed);
  });

  it.each([
    ['an unknown location', ROOTS, 'NOT_FOUND'],
    ['a token without its scope', ['bookings:read'], 'FORBIDDEN'],
  ])('has the error of the resolvers for %s', async (_, scopes, code) => {
    const credential = { token: await app.token(...scopes) };
    const query = `subscription { ${name}(locationId: "${crypto.randomUUID()}") ${related} }`;
    const executed = await withoutPlan(name, () => readFirst(query, credential));
    expect(executed).toMatchObject({ errors: [{ extensions: { code } }] });
    expect(await readFirst(query, credential)).toEqual(executed);
  });
});
