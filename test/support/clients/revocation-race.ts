import type { Sql, Statement } from '../../../src/db/prepared-statement.ts';

export interface RevocationResult {
  /** Answered 200 before the revocation was answered. */
  before: number;
  /** Requests after the response to the revocation that were rejected. */
  rejected: number;
  /** Requests after the response to the revocation that were accepted, of which there must be none. */
  accepted: number;
  /** Rejections of the other token, of which there must be none. */
  othersRejected: number;
}

/**
 * Sends requests to every instance through both APIs, revokes the token meanwhile, and continues until
 * every connection has sent three more.
 */
export async function revokeUnderLoad(given: {
  urls: string[];
  token: string;
  otherToken: string;
  connections: number;
  warmUpMs: number;
  revoke: () => Promise<void>;
}): Promise<RevocationResult> {
  const { urls, token, otherToken, connections, warmUpMs, revoke } = given;
  const round: RevocationResult = { before: 0, rejected: 0, accepted: 0, othersRejected: 0 };
  let isRevoked = false;

  const worker = async (number: number) => {
    for (let count = number, after = 0; after < 3; count += 1) {
      const send = count % 2 === 0 ? requestRest : requestGraphql;
      const url = urls[Math.floor(count / 2) % urls.length] ?? '';
      if (count % 5 === 0) {
        if ((await send(url, otherToken)) !== 200) round.othersRejected += 1;
        continue;
      }
      const wasRevoked = isRevoked;
      const status = await send(url, token);
      if (!wasRevoked) {
        if (status === 200) round.before += 1;
      } else {
        after += 1;
        if (status === 401) round.rejected += 1;
        else round.accepted += 1;
      }
    }
  };

  const workers = Array.from({ length: connections }, (_, number) => worker(number));
  const asleep = () => new Promise((resolve) => setTimeout(resolve, warmUpMs));
  do await asleep();
  while (round.before < connections);
  await revoke();
  isRevoked = true;
  await Promise.all(workers);
  return round;
}

async function requestRest(url: string, token: string): Promise<number> {
  return readStatus(fetch(`${url}/bookings?limit=5`, { headers: authorized(token) }));
}

async function requestGraphql(url: string, token: string): Promise<number> {
  return readStatus(
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...authorized(token), 'content-type': 'application/json' },
      body: '{"query":"{ bookings(first: 5) { edges { node { id } } } }"}',
    }),
  );
}

const authorized = (token: string) => ({ authorization: `Bearer ${token}` });

async function readStatus(count: Promise<Response>): Promise<number> {
  const response = await count;
  await response.arrayBuffer();
  return response.status;
}

interface TokenRow {
  hash: Uint8Array;
}

/** For the negative control: caches token rows for a while. */
export function cacheTokens(sql: Sql, forMs: number): Sql {
  const known = new Map<string, { row: TokenRow | undefined; until: number }>();
  const getName = (hash: Uint8Array) => Buffer.from(hash).toString('hex');
  const cached = async (statement: Statement, [hashes, ...rest]: [Uint8Array[]]) => {
    const isKnown = (hash: Uint8Array) => (known.get(getName(hash))?.until ?? 0) > Date.now();
    const fresh = hashes.filter((hash) => !isKnown(hash));
    const rows = fresh.length > 0 ? await sql<TokenRow>(statement, [fresh, ...rest]) : [];
    for (const hash of fresh) {
      const row = rows.find((it) => getName(it.hash) === getName(hash));
      known.set(getName(hash), { row, until: Date.now() + forMs });
    }
    return hashes.flatMap((hash) => known.get(getName(hash))?.row ?? []);
  };
  return <Row>(statement: Statement, values: unknown[]) =>
    /FROM api_tokens\s+WHERE hash = ANY/.test(statement.text)
      ? (cached(statement, values as [Uint8Array[]]) as Promise<unknown[]> as Promise<Row[]>)
      : sql<Row>(statement, values);
}
