import type { Sql, Statement } from '../../src/db/prepared-statement.ts';

export interface Round {
  /** Answered 200 before the revocation was answered. */
  before: number;
  /** Started after the revocation had been answered, and refused. */
  refused: number;
  /** Started after the revocation had been answered, and not refused: there must be none. */
  late: number;
  /** What the other token was refused: there must be none. */
  othersRefused: number;
}

/**
 * Asks every instance through both doors over many connections, revokes the token meanwhile, and goes on until
 * every connection has asked three times more.
 */
export async function revokeUnderLoad(given: {
  urls: string[];
  token: string;
  otherToken: string;
  connections: number;
  warmUpMs: number;
  revoke: () => Promise<void>;
}): Promise<Round> {
  const { urls, token, otherToken, connections, warmUpMs, revoke } = given;
  const round: Round = { before: 0, refused: 0, late: 0, othersRefused: 0 };
  let isRevoked = false;

  const worker = async (number: number) => {
    for (let asked = number, after = 0; after < 3; asked += 1) {
      const ask = asked % 2 === 0 ? askRest : askGraphql;
      const url = urls[Math.floor(asked / 2) % urls.length] ?? '';
      if (asked % 5 === 0) {
        if ((await ask(url, otherToken)) !== 200) round.othersRefused += 1;
        continue;
      }
      const wasRevoked = isRevoked;
      const status = await ask(url, token);
      if (!wasRevoked) {
        if (status === 200) round.before += 1;
      } else {
        after += 1;
        if (status === 401) round.refused += 1;
        else round.late += 1;
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

async function askRest(url: string, token: string): Promise<number> {
  return statusOf(fetch(`${url}/bookings?limit=5`, { headers: authorized(token) }));
}

async function askGraphql(url: string, token: string): Promise<number> {
  return statusOf(
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...authorized(token), 'content-type': 'application/json' },
      body: '{"query":"{ bookings(first: 5) { edges { node { id } } } }"}',
    }),
  );
}

const authorized = (token: string) => ({ authorization: `Bearer ${token}` });

async function statusOf(asked: Promise<Response>): Promise<number> {
  const answer = await asked;
  await answer.arrayBuffer();
  return answer.status;
}

interface TokenRow {
  hash: Uint8Array;
}

/** What must not be done: remembers for a while what a token may do. Shows that the check can fail. */
export function rememberingTokens(sql: Sql, forMs: number): Sql {
  const known = new Map<string, { row: TokenRow | undefined; until: number }>();
  const nameOf = (hash: Uint8Array) => Buffer.from(hash).toString('hex');
  const remembering = async (statement: Statement, [hashes, ...rest]: [Uint8Array[]]) => {
    const isKnown = (hash: Uint8Array) => (known.get(nameOf(hash))?.until ?? 0) > Date.now();
    const fresh = hashes.filter((hash) => !isKnown(hash));
    const rows = fresh.length > 0 ? await sql<TokenRow>(statement, [fresh, ...rest]) : [];
    for (const hash of fresh) {
      const row = rows.find((it) => nameOf(it.hash) === nameOf(hash));
      known.set(nameOf(hash), { row, until: Date.now() + forMs });
    }
    return hashes.flatMap((hash) => known.get(nameOf(hash))?.row ?? []);
  };
  return <Row>(statement: Statement, values: unknown[]) =>
    /FROM api_tokens\s+WHERE hash = ANY/.test(statement.text)
      ? (remembering(statement, values as [Uint8Array[]]) as Promise<unknown[]> as Promise<Row[]>)
      : sql<Row>(statement, values);
}
