import { Agent, request } from 'node:http';
import type { Database } from '../../../src/db/database.ts';

export interface BookingRace {
  /** Servers that share a database, used in turn. */
  urls: string[];
  token: string;
  resourceIds: string[];
  /** All bookings lie within the eight hours from this time on. */
  from: Date;
  attempts: number;
  connections: number;
  /** On a slow machine the race ends after this time, with fewer attempts. */
  maxMs?: number;
  onProgress?: (tally: BookingRaceResult) => void;
}

export interface BookingRaceResult {
  attempts: number;
  succeeded: number;
  rejected: number;
  /** Bookings that were confirmed although they overlap. */
  overlaps: number;
  /** Rejections without alternative slots. */
  withoutAlternative: number;
  /** Unexpected responses with their number. */
  errors: Map<string, number>;
}

interface Booked {
  id: string;
  resourceId: string;
  start: number;
  end: number;
}

const QUARTER = 15 * 60_000;
const QUARTERS = 32;
/** The buffer of the rooms. */
const BUFFER = QUARTER;
/** With this many live bookings some slots are free, but most requests conflict. */
const MAX_BOOKINGS_PER_ROOM = 6;

/** Books, reschedules and cancels concurrently within the same few hours. */
export async function raceForBookings(race: BookingRace): Promise<BookingRaceResult> {
  const tally: BookingRaceResult = {
    attempts: 0,
    succeeded: 0,
    rejected: 0,
    overlaps: 0,
    withoutAlternative: 0,
    errors: new Map(),
  };
  const agent = new Agent({ keepAlive: true, maxSockets: race.connections });
  const bookings: Booked[] = [];
  let started = 0;
  const end = performance.now() + (race.maxMs ?? Number.POSITIVE_INFINITY);
  const runner = async (lane: number) => {
    const send = createGraphqlSender(race, agent, lane);
    while (started < race.attempts && performance.now() < end) {
      started += 1;
      await attempt(race, send, bookings, tally);
      tally.attempts += 1;
      if (tally.attempts % 10_000 === 0) race.onProgress?.(tally);
    }
  };
  try {
    await Promise.all(Array.from({ length: race.connections }, (_, lane) => runner(lane)));
  } finally {
    agent.destroy();
  }
  return tally;
}

const CREATE =
  'mutation ($input: CreateBookingInput!) { changed: createBooking(input: $input) { booking { id } } }';
const MOVE = `mutation ($id: ID!, $resourceId: ID, $startsAt: DateTime!, $endsAt: DateTime!) {
  changed: rescheduleBooking(input: { id: $id, resourceId: $resourceId, startsAt: $startsAt, endsAt: $endsAt }) { booking { id } } }`;
const CANCEL =
  'mutation ($id: ID!) { changed: cancelBooking(input: { id: $id }) { booking { id } } }';

/** A booking that is removed from `held` has one user, so no request fails because it was cancelled. */
async function attempt(
  race: BookingRace,
  send: GraphqlSender,
  bookings: Booked[],
  tally: BookingRaceResult,
): Promise<void> {
  const slot = chooseSlot(race);
  const times = {
    startsAt: new Date(slot.start).toISOString(),
    endsAt: new Date(slot.end).toISOString(),
  };
  const chance = Math.random();
  const own =
    chance < 0.3 || bookings.length > MAX_BOOKINGS_PER_ROOM * race.resourceIds.length
      ? pick(bookings)
      : null;
  if (own && chance < 0.15) {
    const target = { resourceId: slot.resourceId, ...times };
    const { booking, error } = await send(MOVE, { id: own.id, ...target });
    if (booking) recordBooking({ ...slot, id: own.id }, bookings, tally);
    else {
      recordRejection(error, tally);
      recordBooking(own, bookings, tally);
    }
    if (booking) tally.succeeded += 1;
  } else if (own) {
    const { error } = await send(CANCEL, { id: own.id });
    if (error) recordRejection(error, tally);
  } else {
    const input = { resourceId: slot.resourceId, ...times, guest: { name: 'Gisa Guest' } };
    const { booking, error } = await send(CREATE, { input });
    if (booking) recordBooking({ ...slot, id: booking.id }, bookings, tally);
    else recordRejection(error, tally);
    if (booking) tally.succeeded += 1;
  }
}

function chooseSlot({ resourceIds, from }: BookingRace): Omit<Booked, 'id'> {
  const start = from.getTime() + Math.floor(Math.random() * QUARTERS) * QUARTER;
  const end = start + (2 + Math.floor(Math.random() * 5)) * QUARTER;
  const resourceId = resourceIds[Math.floor(Math.random() * resourceIds.length)] ?? '';
  return { resourceId, start, end };
}

const pick = (bookings: Booked[]) =>
  bookings.splice(Math.floor(Math.random() * bookings.length), 1)[0] ?? null;

/** Counts overlaps with confirmed bookings that no request is cancelling or moving. */
function recordBooking(booking: Booked, bookings: Booked[], tally: BookingRaceResult): void {
  tally.overlaps += bookings.filter(
    (other) =>
      other.resourceId === booking.resourceId &&
      other.start < booking.end + BUFFER &&
      booking.start < other.end + BUFFER,
  ).length;
  bookings.push(booking);
}

function recordRejection(error: Rejection | undefined, tally: BookingRaceResult): void {
  if (error?.reason === 'SLOT_TAKEN') {
    tally.rejected += 1;
    if (!error.alternatives?.length) tally.withoutAlternative += 1;
    return;
  }
  const what = error ? `${error.code} ${error.reason}: ${error.message}` : 'no response';
  tally.errors.set(what, (tally.errors.get(what) ?? 0) + 1);
}

interface Rejection {
  code: string;
  message: string;
  reason?: string;
  alternatives?: object[];
}

export type GraphqlSender = (
  query: string,
  variables: object,
) => Promise<{ booking?: { id: string }; error?: Rejection }>;

/** Sends GraphQL requests over kept-alive connections. */
export function createGraphqlSender(
  { urls, token }: Pick<BookingRace, 'urls' | 'token'>,
  agent: Agent,
  lane: number,
): GraphqlSender {
  const url = new URL('/graphql', urls[lane % urls.length]);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (query, variables) =>
    new Promise((resolve) => {
      const fail = (message: string) => resolve({ error: { code: 'UNREADABLE', message } });
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece) => {
          text += piece;
        });
        response.on('end', () => {
          if (response.statusCode !== 200) return fail(`${response.statusCode} ${text}`);
          const { data, errors } = JSON.parse(text);
          if (!errors?.[0]) return resolve({ booking: data.changed.booking });
          const [{ message, extensions }] = errors;
          return resolve({ error: { message, ...extensions } });
        });
      });
      sent.on('error', ({ message }) => fail(message));
      sent.end(JSON.stringify({ query, variables }));
    });
}

/** Counts pairs of overlapping live bookings, without relying on the constraint. */
export async function countOverlaps({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query(`
    SELECT count(*)::int AS pairs FROM bookings a JOIN bookings b
      ON a.resource_id = b.resource_id AND a.id < b.id
      AND a.starts_at < b.occupied_until AND b.starts_at < a.occupied_until
    WHERE a.status IN ('pending', 'confirmed') AND b.status IN ('pending', 'confirmed')`);
  return rows[0].pairs;
}

export const dropOverlapConstraint = ({ pool }: Pick<Database, 'pool'>) =>
  pool.query('ALTER TABLE bookings DROP CONSTRAINT bookings_no_overlap');
