import { randomBytes } from 'node:crypto';
import { hashPassword } from '../../../src/auth/passwords.ts';
import type { Database } from '../../../src/db/database.ts';
import { createDisplay } from '../../../src/features/displays/service.ts';
import { setSale } from '../sale.ts';
import { PASSWORD, systemCtx } from '../seed.ts';

const DAY = 24 * 3_600_000;
const MEMBERS = 24;
const KIOSKS = 4;
const SCREENS = 60;
/** So few that a script takes all of them in a moment where nothing limits it. */
const SMALL_EVENT_SEATS = 13;

export interface Stage {
  locationId: string;
  /** What customers buy tickets of: enough for all of them. */
  sale: { event: string; ticketTypeId: string };
  /** What the attacker wants to take: one for money and one that is free. */
  targets: { event: string; ticketTypeId: string }[];
  members: { email: string; code: string; roomId: string }[];
  kiosks: string[];
  screens: string[];
}

/** A location with customers, members who have a room each, kiosks, screens and small events. */
export async function setStage(database: Database): Promise<Stage> {
  const ctx = { ...systemCtx(database), now: () => new Date() };
  const { db } = ctx;
  const startsAt = new Date(Date.now() + 30 * DAY);
  const sale = await setSale(database, 1_000_000, startsAt);
  const { id: locationId } = await db.location.findFirstOrThrow();
  await db.openingHours.createMany({
    data: Array.from({ length: 7 }, (_, n) => ({
      locationId,
      weekday: n + 1,
      opensMinute: 0,
      closesMinute: 24 * 60,
    })),
  });
  const passwordHash = await hashPassword(PASSWORD);
  const members = [];
  for (let n = 0; n < MEMBERS; n += 1) {
    const email = `member-${n}@example.org`;
    const code = `MEMBER${randomBytes(5).toString('hex').toUpperCase()}`;
    const name = `Member ${n}`;
    const { id: memberId } = await db.member.create({ data: { name, email, code } });
    await db.user.create({ data: { name, email, memberId, passwordHash } });
    const { id: roomId } = await db.resource.create({
      data: { locationId, slug: `room-${n}`, name: `Room ${n}`, type: 'room' },
    });
    members.push({ email, code, roomId });
  }
  const pair = async (kind: 'kiosk' | 'welcome', count: number) => {
    const tokens = [];
    for (let n = 0; n < count; n += 1) {
      const { deviceToken } = await createDisplay(ctx, {
        name: `${kind} ${n}`,
        kind,
        locationId,
      });
      tokens.push(deviceToken);
    }
    return tokens;
  };
  const targets = [];
  for (const priceAmount of [1_500, 0]) {
    const slug = `small-${priceAmount}`;
    const { id, ticketTypes } = await db.event.create({
      data: {
        ...{ slug, title: 'Small evening', status: 'published', publishedAt: new Date() },
        ...{ locationId, startsAt, endsAt: new Date(startsAt.getTime() + DAY / 12) },
        capacity: SMALL_EVENT_SEATS,
        ticketTypes: { create: { name: 'Seat', priceAmount, quantity: SMALL_EVENT_SEATS } },
      },
      include: { ticketTypes: true },
    });
    targets.push({ event: slug || id, ticketTypeId: ticketTypes[0]?.id ?? '' });
  }
  return {
    ...{ locationId, sale, targets, members },
    kiosks: await pair('kiosk', KIOSKS),
    screens: await pair('welcome', SCREENS),
  };
}
