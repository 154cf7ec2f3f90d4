import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type ClientRequest, type ClientResponse, randomAddress, type Send } from './client.ts';
import type { AbuseStage } from './stage.ts';

export interface Attack {
  stage: AbuseStage;
  urls: string[];
  send: Send;
  signal: AbortSignal;
  /** The number of concurrent requests of each kind. */
  lanes: number;
  /** The number of connections that send a body byte by byte. */
  slowBodies: number;
}

/** The number of responses by kind of attack and status. */
export type AttackResults = Map<string, Map<string, number>>;

const PAUSE_MS = 5;
const STRANGER = 'stranger@example.com';
const SIGN_IN =
  'mutation ($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) { viewer { kind } } }';

let sequence = 0;
const randomWord = () => Math.random().toString(36).slice(2, 12).toUpperCase();

/** One address, the addresses of a /24 and random ones, in turn. */
const address = () => {
  sequence += 1;
  if (sequence % 3 === 0) return '203.0.113.66';
  return sequence % 3 === 1 ? `198.51.100.${1 + (sequence % 250)}` : randomAddress();
};

const graphql = (query: string, variables: object): ClientRequest => ({
  path: '/graphql',
  json: { query, variables },
});

/** Runs every attack that an anonymous client can, until the signal aborts. */
export async function runAttack(attack: Attack): Promise<AttackResults> {
  const { stage, send, signal, lanes } = attack;
  const results: AttackResults = new Map();
  await Promise.all([
    ...Object.entries(attacks(stage)).flatMap(([kind, make]) =>
      Array.from({ length: lanes }, async () => {
        while (!signal.aborted) {
          count(results, kind, await send(make(), address()));
          await setTimeout(PAUSE_MS);
        }
      }),
    ),
    holdSlowBodies(attack, results),
  ]);
  return results;
}

function attacks({
  targets,
  members,
  locationId,
}: AbuseStage): Record<string, () => ClientRequest> {
  const order = (n: number, email: string): ClientRequest => {
    const { event, ticketTypeId } = targets[n] ?? { event: '', ticketTypeId: '' };
    return {
      path: `/public/events/${event}/orders`,
      json: {
        buyer: { name: 'Take All', email },
        items: [{ ticket_type_id: ticketTypeId, quantity: 10 }],
      },
    };
  };
  const victim = () => members[sequence % 4]?.email ?? '';
  return {
    'orders for money': () => order(0, `bot-${randomWord()}@example.com`),
    'free orders': () => order(1, `bot-${randomWord()}@example.com`),
    'emails to one address: orders': () => order(1, STRANGER),
    'emails to one address: links': () =>
      graphql(
        'mutation ($email: String!) { requestSignInLink(input: { email: $email }) { email } }',
        {
          email: victim(),
        },
      ),
    'emails to one address: waiting list': () =>
      graphql(
        'mutation ($input: JoinWaitlistInput!) { joinWaitlist(input: $input) { __typename } }',
        {
          input: { email: STRANGER, name: 'Look here', ticketTypeId: targets[1]?.ticketTypeId },
        },
      ),
    'guessing passwords': () => graphql(SIGN_IN, { email: victim(), password: randomWord() }),
    'guessing codes': () => ({
      path: '/public/check-ins',
      json: { location_id: locationId, code: randomWord() },
    }),
    'guessing device tokens': () => ({
      method: 'GET',
      path: '/displays/state',
      headers: { authorization: `Bearer foyerd_${randomWord()}${randomWord()}${randomWord()}` },
    }),
    pairing: () => ({ path: '/displays/pairings', json: {} }),
  };
}

function count(results: AttackResults, kind: string, { status, body }: ClientResponse): void {
  const code = body?.errors?.[0]?.extensions?.code;
  const outcome = code === undefined ? String(status) : `${status} ${code}`;
  const outcomes = results.get(kind) ?? new Map<string, number>();
  results.set(kind, outcomes);
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

/** Keeps requests with incomplete bodies open and reopens closed ones. */
async function holdSlowBodies(
  { urls, signal, slowBodies }: Attack,
  results: AttackResults,
): Promise<void> {
  const sockets = new Set<Socket>();
  const open = (n: number) => {
    const { hostname, port } = new URL(urls[n % urls.length] ?? '');
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (response) => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(String(response))?.[1] ?? 0);
      count(results, 'slow bodies', { status, headers: {}, body: undefined });
    });
    socket.on('close', () => sockets.delete(socket));
    socket.write(
      `POST /${n % 2 ? 'graphql' : 'public/check-ins'} HTTP/1.1\r\nContent-Type: application/json\r\n` +
        `Content-Length: 1000\r\nX-Forwarded-For: ${address()}\r\n\r\n{`,
    );
  };
  while (!signal.aborted) {
    // A hundred at a time, so that the attacking machine keeps up.
    for (let n = 0; n < 100 && sockets.size < slowBodies; n += 1) open(n);
    await setTimeout(50);
  }
  for (const socket of sockets) socket.destroy();
}
