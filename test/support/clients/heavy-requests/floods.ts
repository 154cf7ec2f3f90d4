import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

/** What a caller sends on many connections at once. `{n}` is a number that differs in each request. */
export interface Flood {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  token?: string;
}

/** How long others waited meanwhile, in milliseconds. */
interface Waits {
  median: number;
  longest: number;
}

export interface FloodResult {
  name: string;
  perSecond: number;
  statuses: Record<string, number>;
  health: Waits;
  honest: Waits;
}

const MANY_FIELDS = 180;
const MANY_ITEMS = 1_500;
const MANY_ARGUMENTS = 4_500;

const repeat = (count: number, write: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => write(n));

/** The requests of each API that take the longest for their size, and one that is valid. */
export function listFloods(eventId: string, token: string): Flood[] {
  const post = (query: string, variables: object = {}) => ({
    method: 'POST' as const,
    path: '/graphql',
    body: JSON.stringify({ query, variables }),
  });
  const wrongItems = repeat(MANY_ITEMS, (n) => `wrong${n}`);
  return [
    { name: 'valid query', ...post('{ events(first: 5) { nodes { id title } } }') },
    {
      name: `${MANY_FIELDS} unknown fields`,
      ...post(`query Q{n} { ${repeat(MANY_FIELDS, (n) => `f${n}_{n}`).join(' ')} }`),
    },
    {
      name: `${MANY_ITEMS} wrong items`,
      ...post('mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) { order { id } } }', {
        i: {
          eventId,
          buyer: { name: 'A', email: 'a@example.org' },
          items: wrongItems.map((ticketTypeId) => ({ ticketTypeId, quantity: 1 })),
        },
      }),
    },
    {
      name: `${MANY_ARGUMENTS} unknown arguments of a tool`,
      method: 'POST',
      path: '/mcp',
      token,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'list_locations',
          arguments: Object.fromEntries(repeat(MANY_ARGUMENTS, (n) => `x${n}`).map((x) => [x, 1])),
        },
      }),
    },
    {
      name: `${MANY_FIELDS} unknown parameters of REST`,
      method: 'GET',
      path: `/public/events?${repeat(MANY_FIELDS, (n) => `x${n}_{n}=1`).join('&')}`,
    },
    {
      name: `${MANY_ITEMS} wrong items of REST`,
      method: 'POST',
      path: `/public/events/${eventId}/orders`,
      body: JSON.stringify({
        buyer: { name: 'A', email: 'a@example.org' },
        items: wrongItems.map((ticket_type_id) => ({ ticket_type_id, quantity: 1 })),
      }),
    },
  ];
}

/** Measures how long others wait during each flood. The callers are processes of their own, so that only the service makes them wait. */
export async function measureFloods(
  url: string,
  floods: readonly Flood[],
  { connections, seconds }: { connections: number; seconds: number },
  onResult: (result: FloodResult) => void,
): Promise<void> {
  const others = startProcess('poll-service.mjs', url);
  try {
    for (const { name, token, ...flood } of floods) {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-forwarded-for': '203.0.113.9',
        ...(token && { authorization: `Bearer ${token}` }),
      };
      await setTimeout(1_000); // the budget of the caller before is full again, and the poller has begun
      const attacker = startProcess(
        'flood.mjs',
        JSON.stringify({ url, connections, headers, ...flood }),
      );
      await once(attacker, 'message');
      await ask(others);
      await setTimeout(seconds * 1_000);
      const { health, honest } = await ask<Record<'health' | 'honest', number[]>>(others);
      const statuses = await ask<Record<string, number>>(attacker);
      const count = Object.values(statuses).reduce((sum, one) => sum + one, 0);
      const result = { name, perSecond: count / seconds, statuses };
      onResult({ ...result, health: summarize(health), honest: summarize(honest) });
    }
  } finally {
    others.kill();
  }
}

function startProcess(script: string, argument: string): ChildProcess {
  const child = fork(new URL(script, import.meta.url), [argument], { execArgv: [] });
  child.once('error', (error) => {
    throw error;
  });
  return child;
}

async function ask<Answer>(child: ChildProcess): Promise<Answer> {
  child.send('report');
  const [answer] = await once(child, 'message');
  return answer as Answer;
}

function summarize(waits: number[]): Waits {
  const sorted = waits.toSorted((a, b) => a - b);
  // Without any answer, others waited for longer than the flood lasted.
  if (sorted.length === 0)
    return { median: Number.POSITIVE_INFINITY, longest: Number.POSITIVE_INFINITY };
  return { median: sorted[sorted.length >> 1] ?? 0, longest: sorted.at(-1) ?? 0 };
}
