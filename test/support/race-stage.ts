import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/database.ts';
import { createApiToken } from '../../src/features/tokens/service.ts';
import { createHttpServer } from '../../src/server/http-server.ts';
import { systemCtx } from './seed.ts';

/** The service over this database, on a socket, as it is deployed. */
export async function serveOver(
  database: Database,
  now: () => Date,
  env: Record<string, string> = {},
) {
  const app = createApp({
    config: readConfig(env),
    database,
    log: pino({ level: 'silent' }),
    now,
  });
  const server = createHttpServer(app.listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await app.close();
    },
  };
}

export interface Stage {
  token: string;
  resourceIds: string[];
  /** One who has a plan. */
  memberId: string;
}

/** One place that is always open, with rooms that are booked by the quarter of an hour, and a member with a plan. */
export async function setStage(database: Database, plan: PlanHours, rooms: number): Promise<Stage> {
  const ctx: Context = systemCtx(database);
  const { db } = ctx;
  const location = await db.location.create({
    data: { slug: 'arena', name: 'Arena', timeZone: 'Europe/Berlin' },
  });
  const resources = await db.resource.createManyAndReturn({
    data: Array.from({ length: rooms }, (_, n) => ({
      locationId: location.id,
      slug: `room-${n}`,
      name: `Room ${n}`,
      type: 'room' as const,
      hourlyAmount: 1_200,
      minMinutes: 30,
      bufferMinutes: 15,
    })),
  });
  const member = await db.member.create({
    data: { name: 'Ben Okafor', email: 'ben@example.org', code: 'BEN' },
  });
  await db.plan.create({
    data: {
      name: 'Flex',
      benefits: { create: { resourceType: 'room', ...plan } },
      memberships: { create: { memberId: member.id, startsOn: new Date('2026-01-01') } },
    },
  });
  const { plainText } = await createApiToken(ctx, {
    name: 'race',
    scopes: ['bookings:read', 'bookings:write', 'members:read'],
  });
  return {
    token: plainText,
    resourceIds: resources.map(({ id }) => id),
    memberId: member.id,
  };
}

interface PlanHours {
  includedHours: number;
  limitHours: number | null;
}
