import { startApp, type TestApp } from '../support/harness/app.ts';
import { captureStatements, isOfPlannedQuery } from '../support/harness/query-plans.ts';
import { waitUntil } from '../support/harness/wait-until.ts';

const QUERY = '{ events(first: 1) { nodes { id } } }';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/** Begins as many executions of a caller as can run at once. They run until the returned function is called. */
function fillPlaces(caller: string): () => Promise<unknown> {
  const { queues } = app.app.systemContext;
  const { promise, resolve } = createPromise();
  const executions = Array.from({ length: 32 }, () => queues.queries(caller, () => promise));
  return () => {
    resolve();
    return Promise.all(executions);
  };
}

function createPromise() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

it('a query whose caller disconnects while it waits is not executed', async () => {
  await app.graphql(QUERY);
  const end = fillPlaces('anonymous:127.0.0.1');
  const caller = new AbortController();
  const body = JSON.stringify({ query: QUERY });
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body, signal: caller.signal };
  const waiting = fetch(`${app.url}/graphql`, request).catch(() => 'disconnected');
  const token = await app.token('*');
  await app.graphql(QUERY, {}, { token }); // the other request waits by now
  caller.abort();
  expect(await waiting).toBe('disconnected');
  await waitUntil(async () => (await app.countConnections()) <= 1);
  const statements = await captureStatements(async () => {
    await end();
    await app.graphql(QUERY, {}, { token });
  });
  expect(statements.filter(isOfPlannedQuery)).toHaveLength(1);
});

// Resolvers answer the first request of a document, and PostgreSQL those that follow.
it.each(['resolvers', 'PostgreSQL'])(
  'a query of a caller with many waits for them, and those of others go first: answered by %s',
  async (answeredBy) => {
    const token = await app.token('*');
    const query = `query By${answeredBy} ${QUERY}`;
    if (answeredBy === 'PostgreSQL') await app.graphql(query);
    const end = fillPlaces('anonymous:127.0.0.1');
    let isAnswered = false;
    const waiting = app.graphql(query).then((response) => {
      isAnswered = true;
      return response;
    });
    for (const answered of await Promise.all(
      [1, 2, 3].map(() => app.graphql(query, {}, { token })),
    ))
      expect(answered.errors).toEqual([]);
    await app.graphql(query, {}, { token });
    expect(isAnswered).toBe(false);
    await end();
    expect((await waiting).errors).toEqual([]);
  },
);
