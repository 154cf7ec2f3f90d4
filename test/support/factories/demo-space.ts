import { Temporal } from 'temporal-polyfill';
import type { Context } from '../../../src/context.ts';
import type { DisplayTokens } from '../../../src/demo/displays.ts';

type Database = Context['db'];

export async function clearDemoSpace(db: Database): Promise<void> {
  await db.$executeRaw`TRUNCATE locations, members, users, teams, plans, announcements CASCADE`;
}

export type DemoSpace = Awaited<ReturnType<typeof readDemoSpace>>;

export async function readDemoSpace(db: Database) {
  return {
    locations: await db.location.findMany({ orderBy: { slug: 'asc' } }),
    resources: await db.resource.findMany({ orderBy: { slug: 'asc' } }),
    openingHours: await db.openingHours.findMany({
      include: { location: true },
      orderBy: [{ location: { slug: 'asc' } }, { weekday: 'asc' }],
    }),
    closures: await db.closure.findMany({ include: { location: true } }),
    members: await db.member.findMany({ include: { team: true }, orderBy: { email: 'asc' } }),
    plans: await db.plan.findMany({
      include: { benefits: { orderBy: { resourceType: 'asc' } } },
      orderBy: { name: 'asc' },
    }),
    memberships: await db.membership.findMany({
      include: { plan: true, member: true, team: true },
      orderBy: [{ member: { email: 'asc' } }, { team: { name: 'asc' } }, { startsOn: 'asc' }],
    }),
    users: await db.user.findMany({ orderBy: { email: 'asc' } }),
    bookings: await db.booking.findMany({
      include: { resource: { include: { location: true } }, member: true },
      orderBy: { id: 'asc' },
    }),
    events: await db.event.findMany({
      include: { location: true, ticketTypes: { orderBy: { position: 'asc' } } },
      orderBy: { slug: 'asc' },
    }),
    displays: await db.display.findMany({ include: { heartbeat: true }, orderBy: { name: 'asc' } }),
    announcements: await db.announcement.findMany({ orderBy: { title: 'asc' } }),
    occupancies: await db.occupancy.findMany(),
    checkIns: await readDemoCheckIns(db),
  };
}

export const readDemoCheckIns = (db: Database) =>
  db.checkIn.findMany({
    include: {
      location: true,
      member: true,
      ticket: { include: { event: true } },
      dayPass: { include: { type: true } },
    },
    orderBy: [{ location: { slug: 'asc' } }, { occurredAt: 'asc' }, { label: 'asc' }],
  });

/** The space without IDs and relative to the day of its creation. */
export function withoutDates(space: DemoSpace, now: string) {
  const span = (startsAt: Date, endsAt: Date, timeZone: string) => {
    const [from, to] = [toLocalTime(startsAt, timeZone), toLocalTime(endsAt, timeZone)];
    return [from.toPlainTime().toString(), to.toPlainTime().toString()];
  };
  const countDays = (instant: Date, timeZone: string) => {
    const today = toLocalTime(new Date(now), timeZone).toPlainDate();
    const monday = today.subtract({ days: today.dayOfWeek - 1 });
    return monday.until(toLocalTime(instant, timeZone).toPlainDate()).days;
  };
  return {
    locations: space.locations.map(removeDates),
    resources: space.resources.map((resource) => removeDates({ ...resource, locationId: '' })),
    openingHours: space.openingHours.map(({ location, ...hours }) => ({
      ...removeDates({ ...hours, locationId: '' }),
      of: location.slug,
    })),
    closures: space.closures.map(({ location, ...closure }) => ({
      ...removeDates({ ...closure, locationId: '' }),
      of: location.slug,
    })),
    members: space.members.map(({ team, ...member }) => ({
      ...removeDates({ ...member, teamId: '' }),
      team: team?.name,
    })),
    plans: space.plans.map(({ benefits, ...plan }) => ({
      ...removeDates(plan),
      benefits: benefits.map((benefit) => removeDates({ ...benefit, planId: '' })),
    })),
    memberships: space.memberships.map(({ plan, member, team, startsOn, endsOn }) => ({
      of: [plan.name, member?.email, team?.name],
      starts: daysBefore(startsOn, now),
      ends: endsOn && daysBefore(endsOn, now),
    })),
    users: space.users.map(removeDates),
    // Bookings are paid when they have begun.
    bookings: space.bookings.map(({ resource, member, ...booking }) => ({
      ...removeDates({ ...booking, paidAmount: 0, resourceId: '', locationId: '', memberId: '' }),
      of: [resource.slug, member?.email],
      day: countDays(booking.startsAt, resource.location.timeZone),
      span: span(booking.startsAt, booking.endsAt, resource.location.timeZone),
    })),
    events: space.events.map(({ location, ticketTypes, ...event }) => ({
      ...removeDates({ ...event, locationId: '', resourceId: event.resourceId && '' }),
      of: location.slug,
      span: span(event.startsAt, event.endsAt, location.timeZone),
      ticketTypes: ticketTypes.map((type) => removeDates({ ...type, eventId: '' })),
    })),
    displays: space.displays.map((display) =>
      removeDates({
        ...display,
        locationId: '',
        resourceId: display.resourceId && '',
        heartbeat: null,
      }),
    ),
    announcements: space.announcements.map((announcement) =>
      removeDates({ ...announcement, locationId: announcement.locationId && '' }),
    ),
  };
}

/** The number of days before the day of `now` in UTC. */
const daysBefore = (day: Date, now: string) =>
  (Date.parse(now.slice(0, 10)) - day.getTime()) / 86_400_000;

export const toDate = (instant: Date) => instant.toISOString().slice(0, 10);

const removeDates = (row: object) =>
  Object.fromEntries(
    Object.entries(row).filter(([key, value]) => key !== 'id' && !(value instanceof Date)),
  );

export const toLocalTime = (instant: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone);

export function createDisplayTokens(first: number, ...others: number[]): DisplayTokens {
  const token = (byte: number) => ({ hash: new Uint8Array(32).fill(byte), prefix: `demo-${byte}` });
  return [token(first), ...others.map(token)];
}
