import { randomBytes } from 'node:crypto';
import { hashPassword } from '../../../../src/auth/passwords.ts';
import type { Database } from '../../../../src/db/database.ts';
import { createDisplay } from '../../../../src/features/displays/service/manage-displays.ts';
import { createSale } from '../../factories/race-stages.ts';
import { createSystemContext, PASSWORD } from '../../factories/seed.ts';

const DAY = 24 * 3_600_000;
const MEMBERS = 24;
const KIOSKS = 4;
const SCREENS = 60;
/** So few that an unlimited script takes all of them at once. */
const SMALL_EVENT_SEATS = 13;

export interface AbuseStage {
  locationId: string;
  /** The event of the customers, with enough tickets for all. */
  sale: { event: string; ticketTypeId: string };
  /** The events that the attacker targets: one with a price and a free one. */
  targets: { event: string; ticketTypeId: string }[];
  members: { email: string; code: string; roomId: string }[];
  kiosks: string[];
  screens: string[];
}

/** Creates a location with members, a room for each, kiosks, screens and small events. */
export async function createAbuseStage(database: Database): Promise<AbuseStage> {
  const ctx = { ...createSystemContext(database), now: () => new Date() };
  const { db } = ctx;
  const startsAt = new Date(Date.now() + 30 * DAY);
  const sale = await createSale(database, 1_000_000, startsAt);
  const { id: locationId } = await db.location.findFirstOrThrow();
  await db.location.update({ where: { id: locationId }, data: { memberAdmission: 'all' } });
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
