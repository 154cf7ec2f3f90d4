import { Agent, request } from 'node:http';
import type { Database } from '../../src/db/database.ts';

export interface Contest {
  /** Servers that share a database; asked in turn. */
  urls: string[];
  token: string;
  resourceIds: string[];
  /** Bookings are wished for within the eight hours from here on. */
  from: Date;
  attempts: number;
  connections: number;
  /** On a busy machine it ends after so long, with fewer attempts. */
  longestMs?: number;
  onProgress?: (tally: Tally) => void;
}

export interface Tally {
  attempts: number;
  won: number;
  refused: number;
  /** Bookings that somebody was told to have at the same time as somebody else. */
  overlaps: number;
  /** Refusals that name no other slot. */
  withoutAlternative: number;
  /** Whatever else was answered, a few of each. */
  errors: Map<string, number>;
}

interface Held {
  id: string;
  resourceId: string;
  start: number;
  end: number;
}

const QUARTER = 15 * 60_000;
const QUARTERS = 32;
/** What the rooms of the stage keep free after a booking. */
const BUFFER = QUARTER;
/** So many live bookings leave some slots free and most wishes in each other's way. */
const MOST_HELD = 6;

/** Everybody wishes for something in the same few hours; some move or give back what they have. */
export async function race(contest: Contest): Promise<Tally> {
  const tally: Tally = {
    attempts: 0,
    won: 0,
    refused: 0,
    overlaps: 0,
    withoutAlternative: 0,
    errors: new Map(),
  };
  const agent = new Agent({ keepAlive: true, maxSockets: contest.connections });
  const held: Held[] = [];
  let begun = 0;
  const end = performance.now() + (contest.longestMs ?? Number.POSITIVE_INFINITY);
  const runner = async (lane: number) => {
    const ask = asking(contest, agent, lane);
    while (begun < contest.attempts && performance.now() < end) {
      begun += 1;
      await attempt(contest, ask, held, tally);
      tally.attempts += 1;
      if (tally.attempts % 10_000 === 0) contest.onProgress?.(tally);
    }
  };
  try {
    await Promise.all(Array.from({ length: contest.connections }, (_, lane) => runner(lane)));
  } finally {
    agent.destroy();
  }
  return tally;
}

const CREATE = 'mutation ($input: BookingInput!) { booking: createBooking(input: $input) { id } }';
const MOVE = `mutation ($id: ID!, $startsAt: DateTime!, $endsAt: DateTime!) {
  booking: rescheduleBooking(id: $id, startsAt: $startsAt, endsAt: $endsAt) { id } }`;
const CANCEL = 'mutation ($id: ID!) { booking: cancelBooking(id: $id) { id } }';

/** Nobody else touches a booking that is taken out of `held`, so none is ever refused for being gone. */
async function attempt(contest: Contest, ask: Ask, held: Held[], tally: Tally): Promise<void> {
  const wish = wishFor(contest);
  const times = {
    startsAt: new Date(wish.start).toISOString(),
    endsAt: new Date(wish.end).toISOString(),
  };
  const dice = Math.random();
  const mine =
    dice < 0.3 || held.length > MOST_HELD * contest.resourceIds.length ? pick(held) : null;
  if (mine && dice < 0.15) {
    const { booking, refusal } = await ask(MOVE, { id: mine.id, ...times });
    if (booking) keep({ ...wish, id: mine.id, resourceId: mine.resourceId }, held, tally);
    else {
      refuse(refusal, tally);
      keep(mine, held, tally);
    }
    if (booking) tally.won += 1;
  } else if (mine) {
    const { refusal } = await ask(CANCEL, { id: mine.id });
    if (refusal) refuse(refusal, tally);
  } else {
    const input = { resourceId: wish.resourceId, ...times, guest: { name: 'Gisa Guest' } };
    const { booking, refusal } = await ask(CREATE, { input });
    if (booking) keep({ ...wish, id: booking.id }, held, tally);
    else refuse(refusal, tally);
    if (booking) tally.won += 1;
  }
}

function wishFor({ resourceIds, from }: Contest): Omit<Held, 'id'> {
  const start = from.getTime() + Math.floor(Math.random() * QUARTERS) * QUARTER;
  const end = start + (2 + Math.floor(Math.random() * 5)) * QUARTER;
  const resourceId = resourceIds[Math.floor(Math.random() * resourceIds.length)] ?? '';
  return { resourceId, start, end };
}

const pick = (held: Held[]) => held.splice(Math.floor(Math.random() * held.length), 1)[0] ?? null;

/** What others have been told to have, and have not begun to give back, they have at this moment. */
function keep(mine: Held, held: Held[], tally: Tally): void {
  tally.overlaps += held.filter(
    (other) =>
      other.resourceId === mine.resourceId &&
      other.start < mine.end + BUFFER &&
      mine.start < other.end + BUFFER,
  ).length;
  held.push(mine);
}

function refuse(refusal: Refusal | undefined, tally: Tally): void {
  if (refusal?.reason === 'SLOT_TAKEN') {
    tally.refused += 1;
    if (!refusal.alternatives?.length) tally.withoutAlternative += 1;
    return;
  }
  const what = refusal ? `${refusal.code} ${refusal.reason}: ${refusal.message}` : 'no answer';
  tally.errors.set(what, (tally.errors.get(what) ?? 0) + 1);
}

interface Refusal {
  code: string;
  message: string;
  reason?: string;
  alternatives?: object[];
}

export type Ask = (
  query: string,
  variables: object,
) => Promise<{ booking?: { id: string }; refusal?: Refusal }>;

/** GraphQL over a connection that stays open. */
export function asking(
  { urls, token }: Pick<Contest, 'urls' | 'token'>,
  agent: Agent,
  lane: number,
): Ask {
  const url = new URL('/graphql', urls[lane % urls.length]);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (query, variables) =>
    new Promise((resolve) => {
      const fail = (message: string) => resolve({ refusal: { code: 'UNREADABLE', message } });
      const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece) => {
          text += piece;
        });
        answer.on('end', () => {
          if (answer.statusCode !== 200) return fail(`${answer.statusCode} ${text}`);
          const { data, errors } = JSON.parse(text);
          if (!errors?.[0]) return resolve({ booking: data.booking });
          const [{ message, extensions }] = errors;
          return resolve({ refusal: { message, ...extensions } });
        });
      });
      sent.on('error', ({ message }) => fail(message));
      sent.end(JSON.stringify({ query, variables }));
    });
}

/** Pairs of live bookings in each other's way, found without the constraint that forbids them. */
export async function overlapsIn({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query(`
    SELECT count(*)::int AS pairs FROM bookings a JOIN bookings b
      ON a.resource_id = b.resource_id AND a.id < b.id
      AND a.starts_at < b.occupied_until AND b.starts_at < a.occupied_until
    WHERE a.status IN ('pending', 'confirmed') AND b.status IN ('pending', 'confirmed')`);
  return rows[0].pairs;
}

export const dropConstraint = ({ pool }: Pick<Database, 'pool'>) =>
  pool.query('ALTER TABLE bookings DROP CONSTRAINT bookings_no_overlap');
