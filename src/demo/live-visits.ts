import type { Context } from '../context.ts';
import { findOpenRanges } from '../core/time/opening-hours.ts';
import { DAY_MINUTES, toLocalDate, toZonedDateTime } from '../core/time/time-zone.ts';
import { checkIn } from '../features/check-ins/service/check-in.ts';
import { checkOut } from '../features/check-ins/service/check-out.ts';
import {
  findClosuresByLocation,
  findOpeningHoursByLocation,
  setOpeningHours,
} from '../features/spaces/service/opening-hours.ts';
import { checkInPlan } from './check-in-plan.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

const VISIT_INTERVAL_MS = 20_000;
/** From this number on, people leave more often than they arrive. */
const USUAL_OCCUPANCY = 12;

/**
 * Keeps the demo alive at any hour as long as the process runs: a location is open, and members come and go there. Their check-ins go
 * through the service, so that displays, subscriptions and the audit log show them. Ben stays away: people try out check-in with him.
 */
export async function simulateVisits(ctx: Context): Promise<void> {
  const random = createSeededRandom(ctx.now().getTime());
  await getOpenLocation(ctx);
  setInterval(() => {
    simulateVisit(ctx, random).catch((error) =>
      ctx.log.warn({ err: error }, 'cannot simulate a visit'),
    );
  }, VISIT_INTERVAL_MS).unref();
}

/** Checks a member in or out at a location that is open. */
export async function simulateVisit(ctx: Context, random: SeededRandom): Promise<void> {
  const { id: locationId } = await getOpenLocation(ctx);
  const visits = await ctx.db.checkIn.findMany({
    where: { result: 'admitted', checkedOutAt: null, memberId: { not: null } },
    select: { id: true, memberId: true, locationId: true },
    orderBy: [{ occurredAt: 'asc' }, { id: 'asc' }],
  });
  const here = visits.filter((visit) => visit.locationId === locationId);
  const leaving = random.chance(here.length / (2 * USUAL_OCCUPANCY))
    ? random.pick(here)
    : undefined;
  if (leaving !== undefined) {
    await checkOut(ctx, leaving.id);
    return;
  }
  const present = visits.flatMap(({ memberId }) => memberId ?? []);
  const absent = await ctx.db.member.findMany({
    where: { email: { in: REGULARS }, status: 'active', id: { notIn: present } },
    select: { id: true },
    orderBy: { email: 'asc' },
  });
  if (absent.length === 0) return;
  await checkIn(ctx, { locationId, credential: { memberId: random.pick(absent).id } });
}

/** The members who come on a usual day. */
const REGULARS = Object.values(checkInPlan).flatMap(({ visits }) =>
  visits.flatMap((visit) => ('member' in visit ? [visit.member] : [])),
);

/** Gets a location that is open now. If none is, at night or on a Sunday, one opens for the whole day. */
async function getOpenLocation(ctx: Context): Promise<{ id: string }> {
  const now = ctx.now().getTime();
  const locations = await ctx.db.location.findMany({
    select: { id: true, timeZone: true },
    orderBy: { name: 'desc' },
  });
  const ids = locations.map(({ id }) => id);
  const hoursById = await findOpeningHoursByLocation(ctx, ids);
  const closuresById = await findClosuresByLocation(ctx, ids, null);
  const calendars = locations.map(({ id, timeZone }) => ({
    id,
    timeZone,
    hours: hoursById.get(id) ?? [],
    closures: closuresById.get(id) ?? [],
  }));
  const range = { start: now, end: now + 1 };
  const open = calendars.find((calendar) => findOpenRanges(calendar, range).length > 0);
  if (open !== undefined) return open;
  const isClosedToday = ({ timeZone, closures }: (typeof calendars)[number]) => {
    const today = toLocalDate(now, timeZone);
    return closures.some(({ startsOn, endsOn }) => startsOn <= today && today <= endsOn);
  };
  const location = calendars.find((calendar) => !isClosedToday(calendar)) ?? calendars[0];
  if (location === undefined) throw new Error('The demo has no location');
  const weekday = toZonedDateTime(now, location.timeZone).dayOfWeek;
  await setOpeningHours(ctx, location.id, [
    ...location.hours.filter((hours) => hours.weekday !== weekday),
    { weekday, opensMinute: 0, closesMinute: DAY_MINUTES },
  ]);
  return location;
}
