import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import { anonymous } from '../../src/auth/viewer.ts';
import { type Context, createQueues } from '../../src/context.ts';
import { storeBody } from '../../src/core/request-body.ts';
import { unavailable } from '../../src/errors.ts';
import type { PlannedQueries } from '../../src/graphql/planned/planned-queries.ts';
import { createPlannedListener } from '../../src/graphql/planned/planned-requests.ts';
import { schema } from '../../src/graphql/schema.ts';
import { loadTrustedDocuments } from '../../src/graphql/trusted-documents/trusted-documents.ts';

// A request without a response would keep its place in the request gate until its client gives up.

const failWith = (message: string) => () => {
  throw new Error(message);
};

interface Parts {
  findPlan?: () => unknown;
  answer?: () => Promise<string | null>;
  next?: (req: unknown, res: ServerResponse) => unknown;
}

/** Sends a query to a listener with these parts. Returns the response and what was logged. */
async function send({
  findPlan = () => ({}),
  answer = async () => null,
  next = (_, res) => res.end('executed'),
}: Parts) {
  const logged: string[] = [];
  const listener = createPlannedListener(
    { findPlan, answer } as unknown as PlannedQueries,
    {
      log: pino({}, { write: (line: string) => logged.push(line) }),
      trustedDocuments: loadTrustedDocuments(schema, { mode: 'off', file: undefined }),
    },
    async () => ({ viewer: anonymous, queues: createQueues(1) }) as Context,
    next,
  );
  let rejection: unknown;
  const server = createServer(async (req, res) => {
    storeBody(req, await buffer(req));
    await listener(req, res).catch((error) => {
      rejection = error;
      res.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    }).catch(() => null);
    const text = (await response?.text().catch(() => null)) ?? null;
    return { status: response?.status, text, logged: logged.join(''), rejection };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it('responds with what PostgreSQL has answered', async () => {
  expect(await send({ answer: async () => '{"data":{}}' })).toMatchObject({
    status: 200,
    text: '{"data":{}}',
    logged: '',
  });
});

it.each<[what: string, parts: Parts]>([
  ['finding the plan', { findPlan: failWith('a bug') }],
  ['answering', { answer: async () => failWith('a bug')() }],
])('executes the request if %s throws, and logs the error', async (_, parts) => {
  const { logged, ...response } = await send(parts);
  expect(response).toEqual({ status: 200, text: 'executed', rejection: undefined });
  expect(logged).toContain('a bug');
});

it('responds with 503 during an outage, and does not execute the request too', async () => {
  const answer = async () => {
    throw unavailable('The database is away.');
  };
  const { status, text } = await send({ answer });
  expect([status, JSON.parse(text ?? '')]).toEqual([
    503,
    {
      data: null,
      errors: [
        {
          message: 'The database is away.',
          extensions: { code: 'INTERNAL', reason: 'UNAVAILABLE', retryAfterSeconds: 2 },
        },
      ],
    },
  ]);
});

describe.each<[what: string, parts: Parts]>([
  ['has no plan', { findPlan: () => null }],
  ['cannot be planned', { findPlan: failWith('a bug') }],
])('a request that %s', (_, parts) => {
  it.each<[what: string, next: Required<Parts>['next']]>([
    ['throws', failWith('secret cause')],
    ['rejects', async () => failWith('secret cause')()],
  ])('gets 500 if the execution %s', async (_, next) => {
    const { status, text, logged, rejection } = await send({ ...parts, next });
    expect([status, rejection]).toEqual([500, undefined]);
    expect(JSON.parse(text ?? '')).toEqual({
      errors: [
        {
          message: 'Something went wrong on our side.',
          extensions: { code: 'INTERNAL', reason: 'INTERNAL' },
        },
      ],
    });
    expect(logged).toContain('secret cause');
  });
});

it('ends the connection if the execution fails after the response has begun', async () => {
  const { text, logged, rejection } = await send({
    findPlan: () => null,
    next: async (_, res) => {
      res.writeHead(200).write('{"da');
      failWith('too late')();
    },
  });
  expect([text, rejection]).toEqual([null, undefined]);
  expect(logged).toContain('too late');
});
