import { randomUUID } from 'node:crypto';
import type { Viewer } from '../../../src/auth/viewer.ts';
import { anonymous, system } from '../../../src/auth/viewer.ts';
import { EVENT_STATUSES, EVENT_VISIBILITIES } from '../../../src/features/events/rows.ts';
import { getEvent } from '../../../src/features/events/service/get-event.ts';
import { canSeeEvent } from '../../../src/features/events/types.ts';
import { startApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const VIEWERS: Record<string, Viewer> = {
  anonymous,
  system,
  member: { kind: 'member', id: randomUUID(), name: 'Ada', sessionId: randomUUID() },
  'front desk': {
    kind: 'staff',
    id: randomUUID(),
    name: 'Fay',
    role: 'front_desk',
    sessionId: randomUUID(),
  },
  'token with events:read': {
    kind: 'token',
    id: randomUUID(),
    name: 'reader',
    scopes: ['events:read'],
  },
  'token without events:read': {
    kind: 'token',
    id: randomUUID(),
    name: 'other',
    scopes: ['orders:write'],
  },
  device: {
    kind: 'device',
    id: randomUUID(),
    name: 'Lobby',
    display: 'welcome',
    locationId: randomUUID(),
  },
};

const COMBINATIONS = EVENT_STATUSES.flatMap((status) =>
  EVENT_VISIBILITIES.flatMap((visibility) =>
    [true, false].map((wasPublished) => ({ status, visibility, wasPublished })),
  ),
);

describe('event visibility', () => {
  it('is the same in SQL and in TypeScript, for every viewer and event', async () => {
    const { db, now } = app.ctx;
    const { id: locationId } = await db.location.findFirstOrThrow();
    const startsAt = new Date(now().getTime() + 86_400_000);
    const events = COMBINATIONS.map(({ wasPublished, ...columns }, index) => ({
      ...columns,
      wasPublished,
      id: randomUUID(),
      slug: `visibility-${index}`,
    }));
    await db.event.createMany({
      data: events.map(({ wasPublished, ...columns }) => ({
        ...columns,
        title: columns.slug,
        locationId,
        startsAt,
        endsAt: new Date(startsAt.getTime() + 3_600_000),
        publishedAt: wasPublished ? now() : null,
      })),
    });
    const counts: Record<string, number> = {};
    for (const [name, viewer] of Object.entries(VIEWERS)) {
      for (const event of events) {
        const isFound = await getEvent({ ...app.ctx, viewer }, event.id).then(
          () => true,
          () => false,
        );
        expect([name, event, isFound]).toEqual([name, event, canSeeEvent(viewer, event)]);
        if (isFound) counts[name] = (counts[name] ?? 0) + 1;
      }
    }
    // Published events, and cancelled ones that were published before: three for each audience.
    expect(counts).toEqual({
      anonymous: 3,
      system: 12,
      member: 6,
      'front desk': 12,
      'token with events:read': 12,
      'token without events:read': 3,
      device: 3,
    });
  });
});
