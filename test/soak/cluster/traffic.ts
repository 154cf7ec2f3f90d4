import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TypedText } from '../../../packages/client/src/index.ts';
import { createClient } from '../../../packages/client/src/index.ts';
import type { Database } from '../../../src/db/database.ts';
import { createDisplay } from '../../../src/features/displays/service/manage-displays.ts';
import { createApiToken } from '../../../src/features/tokens/service.ts';
import { createBookingRace } from '../../support/factories/race-stages.ts';
import { createSystemContext } from '../../support/factories/seed.ts';
import { createRequests, repeat } from './requests.ts';

const ROOMS = 50;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface TrafficStage {
  token: string;
  deviceToken: string;
  memberId: string;
  resourceIds: string[];
}

/** Creates rooms, a member, a display and a token that may do everything. */
export async function createTrafficStage(database: Database): Promise<TrafficStage> {
  const { resourceIds, memberId } = await createBookingRace(
    database,
    { includedHours: 0, limitHours: null },
    ROOMS,
  );
  const ctx = createSystemContext(database);
  const { plainText: token } = await createApiToken(ctx, { name: 'traffic', scopes: ['*'] });
  const { id: locationId } = await ctx.db.location.findFirstOrThrow();
  const { deviceToken } = await createDisplay(ctx, { name: 'Door', kind: 'welcome', locationId });
  return { token, deviceToken, memberId, resourceIds };
}

export interface Traffic {
  /** How often each outcome occurred, such as `booking 201` or `events ECONNREFUSED`. */
  outcomes: Map<string, number>;
  /** The bookings that the service has acknowledged. */
  acknowledged: Set<string>;
  /** How often a subscription has reported each booking, and how often its stream was opened again. */
  reported: Map<string, number>;
  reconnects(): number;
  /** Finishes the requests in progress and waits until the subscription has reported all bookings, for up to a minute. */
  stop(): Promise<void>;
}

const CREATED =
  'subscription ($after: Float) { changes(after: $after, types: ["booking.created"]) { position subjectId } }' as TypedText<
    { changes: { position: number; subjectId: string } },
    { after?: number }
  >;

/**
 * Reads, books, polls a display and subscribes to changes, each for itself and without end. A booking that fails is sent again with the
 * same key until it is acknowledged, as clients should do; every failure is counted.
 */
export function startTraffic(
  url: string,
  { token, deviceToken, memberId, resourceIds }: TrafficStage,
  { lanes = 4, pauseMs = 20 } = {},
): Traffic {
  const { outcomes, send, sendUntil } = createRequests(url);
  const acknowledged = new Set<string>();
  const reported = new Map<string, number>();
  const stopping = new AbortController();
  const listening = new AbortController();
  let reconnects = 0;
  let slots = 0;
  const from = (Math.floor(Date.now() / DAY) + 30) * DAY;
  const authorization = `Bearer ${token}`;

  const book = async () => {
    const slot = slots++;
    const startsAt = from + Math.floor(slot / resourceIds.length) * HOUR;
    const text = await sendUntil(201, 'booking', '/bookings', {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({
        resource_id: resourceIds[slot % resourceIds.length],
        member_id: memberId,
        starts_at: new Date(startsAt).toISOString(),
        ends_at: new Date(startsAt + HOUR / 2).toISOString(),
      }),
    });
    acknowledged.add(JSON.parse(text).data.booking.id);
  };

  const query = JSON.stringify({
    query: '{ bookings(first: 5) { edges { node { id status } } } }',
  });
  const work = [
    () => send('events', '/public/events'),
    () => send('display', `/displays/state/${deviceToken}`),
    () =>
      send('query', '/graphql', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: query,
      }),
    book,
  ];
  const running = Array.from({ length: lanes }, () =>
    work.map((one) => repeat(one, stopping.signal, pauseMs)),
  ).flat();

  const listen = async () => {
    const foyer = createClient({ url, token });
    const options = { signal: listening.signal, onReconnect: () => (reconnects += 1) };
    for await (const { changes } of foyer.subscribe(CREATED, { after: 0 }, options))
      reported.set(changes.subjectId, (reported.get(changes.subjectId) ?? 0) + 1);
  };
  const following = listen();
  const isAllReported = () => [...acknowledged].every((id) => reported.has(id));

  return {
    outcomes,
    acknowledged,
    reported,
    reconnects: () => reconnects,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
      for (let seconds = 0; seconds < 60 && !isAllReported(); seconds += 1) await pause(1_000);
      listening.abort();
      await following;
    },
  };
}

/**
 * Compares what the service has acknowledged with the rows of the database and with what the subscription has reported, and describes
 * each difference.
 */
export async function findLosses(
  { pool }: Database,
  { acknowledged, reported }: Traffic,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM bookings');
  const stored = new Set(rows.map(({ id }) => id));
  const missing = [...acknowledged].filter((id) => !stored.has(id));
  const repeated = [...stored].filter((id) => !acknowledged.has(id));
  const unreported = [...acknowledged].filter((id) => reported.get(id) !== 1);
  return [
    ...(missing.length > 0 ? [`${missing.length} acknowledged bookings are missing`] : []),
    ...(repeated.length > 0 ? [`${repeated.length} bookings were made twice`] : []),
    ...(unreported.length > 0 ? [`${unreported.length} bookings were not reported once`] : []),
  ];
}
