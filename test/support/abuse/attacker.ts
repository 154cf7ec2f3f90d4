import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type Answer, type Ask, type Asked, randomAddress } from './client.ts';
import type { Stage } from './stage.ts';

export interface Attack {
  stage: Stage;
  urls: string[];
  ask: Ask;
  signal: AbortSignal;
  /** How many requests of each kind it has open at once. */
  lanes: number;
  /** How many connections send one byte of their body each. */
  slowBodies: number;
}

/** How often each kind of attack was answered with which status. */
export type Spoils = Map<string, Map<string, number>>;

const PAUSE_MS = 5;
const STRANGER = 'stranger@example.com';
const SIGN_IN =
  'mutation ($email: String!, $password: String!) { signIn(email: $email, password: $password) }';

let turn = 0;
const word = () => Math.random().toString(36).slice(2, 12).toUpperCase();

/** From one address, from all of a /24, and from anywhere. */
const address = () => {
  turn += 1;
  if (turn % 3 === 0) return '203.0.113.66';
  return turn % 3 === 1 ? `198.51.100.${1 + (turn % 250)}` : randomAddress();
};

const graphql = (query: string, variables: object): Asked => ({
  path: '/graphql',
  json: { query, variables },
});

/** Does all the harm that an anonymous client can, until the signal ends it. */
export async function runAttack(attack: Attack): Promise<Spoils> {
  const { stage, ask, signal, lanes } = attack;
  const spoils: Spoils = new Map();
  await Promise.all([
    ...Object.entries(attacks(stage)).flatMap(([kind, make]) =>
      Array.from({ length: lanes }, async () => {
        while (!signal.aborted) {
          count(spoils, kind, await ask(make(), address()));
          await setTimeout(PAUSE_MS);
        }
      }),
    ),
    holdSlowBodies(attack, spoils),
  ]);
  return spoils;
}

function attacks({ targets, members, locationId }: Stage): Record<string, () => Asked> {
  const order = (n: number, email: string): Asked => {
    const { event, ticketTypeId } = targets[n] ?? { event: '', ticketTypeId: '' };
    return {
      path: `/public/events/${event}/orders`,
      json: {
        buyer: { name: 'Take All', email },
        items: [{ ticket_type_id: ticketTypeId, quantity: 10 }],
      },
    };
  };
  const victim = () => members[turn % 4]?.email ?? '';
  return {
    'orders for money': () => order(0, `bot-${word()}@example.com`),
    'free orders': () => order(1, `bot-${word()}@example.com`),
    'mails to a stranger: orders': () => order(1, STRANGER),
    'mails to a stranger: links': () =>
      graphql('mutation ($email: String!) { requestSignInLink(email: $email) }', {
        email: victim(),
      }),
    'mails to a stranger: waiting list': () =>
      graphql(
        'mutation ($input: JoinWaitlistInput!) { joinWaitlist(input: $input) { __typename } }',
        {
          input: { email: STRANGER, name: 'Look here', ticketTypeId: targets[1]?.ticketTypeId },
        },
      ),
    'guessing passwords': () => graphql(SIGN_IN, { email: victim(), password: word() }),
    'guessing codes': () => ({
      path: '/public/check-ins',
      json: { location_id: locationId, code: word() },
    }),
    'guessing device tokens': () => ({
      method: 'GET',
      path: '/displays/state',
      headers: { authorization: `Bearer foyerd_${word()}${word()}${word()}` },
    }),
    pairing: () => ({ path: '/displays/pairings', json: {} }),
  };
}

function count(spoils: Spoils, kind: string, { status, body }: Answer): void {
  const code = body?.errors?.[0]?.extensions?.code;
  const outcome = code === undefined ? String(status) : `${status} ${code}`;
  const outcomes = spoils.get(kind) ?? new Map<string, number>();
  spoils.set(kind, outcomes);
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

/** Keeps so many requests open whose bodies do not arrive; what is closed is opened anew. */
async function holdSlowBodies({ urls, signal, slowBodies }: Attack, spoils: Spoils): Promise<void> {
  const sockets = new Set<Socket>();
  const open = (n: number) => {
    const { hostname, port } = new URL(urls[n % urls.length] ?? '');
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (answer) => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1] ?? 0);
      count(spoils, 'slow bodies', { status, headers: {}, body: undefined });
    });
    socket.on('close', () => sockets.delete(socket));
    socket.write(
      `POST /${n % 2 ? 'graphql' : 'public/check-ins'} HTTP/1.1\r\nContent-Type: application/json\r\n` +
        `Content-Length: 1000\r\nX-Forwarded-For: ${address()}\r\n\r\n{`,
    );
  };
  while (!signal.aborted) {
    // A hundred at a time, so that the machine that attacks keeps up with it.
    for (let n = 0; n < 100 && sockets.size < slowBodies; n += 1) open(n);
    await setTimeout(50);
  }
  for (const socket of sockets) socket.destroy();
}
