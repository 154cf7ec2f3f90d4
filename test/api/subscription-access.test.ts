import { openSubscription, type Subscription } from '../support/clients/subscriptions.ts';
import { makeEvent } from '../support/factories/events.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

// While a stream is open, the scopes of its token change.

let app: TestApp;
let locationId: string;
const streams: Subscription[] = [];

beforeAll(async () => {
  app = await startApp();
  const { db } = app.ctx;
  ({ id: locationId } = await db.location.findFirstOrThrow({ where: { displays: { some: {} } } }));
  await makeEvent(app, { locationId, title: 'Draft', status: 'draft', publishedAt: null });
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(() => app.stop());

const SCOPES = [
  'bookings:read',
  'check-ins:read',
  'displays:read',
  'events:read',
  'spaces:read',
  'spaces:write',
];

/** Opens a stream with a new token. */
async function open(fields: string) {
  const { db } = app.ctx;
  const token = await app.token(...SCOPES);
  const { id } = await db.apiToken.findFirstOrThrow({ orderBy: { id: 'desc' } });
  const query = `subscription { occupancyChanged(locationId: "${locationId}") {
    location { displays(first: 1) { nodes { name } } events(first: 50) { nodes { status } } ${fields} } } }`;
  const stream = openSubscription(app.url, query, { token });
  streams.push(stream);
  return {
    next: stream.next,
    /** Removes scopes of the token, then causes an event and returns its response. */
    async nextWithout(...scopes: string[]) {
      const remaining = SCOPES.filter((scope) => !scopes.includes(scope));
      await db.apiToken.update({ where: { id }, data: { scopes: remaining } });
      capacity += 1;
      await db.location.update({ where: { id: locationId }, data: { capacity } });
      return stream.next();
    },
  };
}

let capacity = 1_000;

const toData = (status: unknown) => ({
  data: {
    occupancyChanged: {
      location: { displays: { nodes: [{ name: expect.any(String) }] }, events: { nodes: status } },
    },
  },
});
const WITH_DRAFTS = toData(expect.arrayContaining([{ status: 'DRAFT' }]));
const WITHOUT_DRAFTS = toData(expect.not.arrayContaining([{ status: 'DRAFT' }]));

it.each([
  ['PostgreSQL', ''],
  ['resolvers', 'closures { bookingsAffected }'],
])('checks the access to each event that is answered by %s', async (_, fields) => {
  const { next, nextWithout } = await open(fields);
  expect(await next()).toMatchObject(WITH_DRAFTS);
  expect(await nextWithout('events:read')).toMatchObject(WITHOUT_DRAFTS);
  expect(await nextWithout('displays:read')).toMatchObject({
    data: null,
    errors: [
      {
        path: ['occupancyChanged', 'location', 'displays'],
        extensions: { code: 'FORBIDDEN', reason: 'MISSING_SCOPE' },
      },
    ],
  });
  expect(await nextWithout()).toMatchObject(WITH_DRAFTS);
  const last = await nextWithout('check-ins:read');
  expect(last).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  expect(last?.data ?? null).toBeNull();
  expect(await next()).toBeUndefined();
});
