import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import { parseDateColumn } from '../core/time/calendar-date.ts';
import { MINUTE_MS } from '../core/time/time-zone.ts';
import type { Prisma } from '../db/generated/client.ts';
import { findClosingTime } from '../features/check-ins/service.ts';
import { findOpeningHoursByLocation, type OpeningHours } from '../features/spaces/service.ts';
import { toDate } from './calendar.ts';
import {
  afterHoursMembers,
  checkInPlan,
  type PlannedRejection,
  type PlannedVisit,
} from './check-in-plan.ts';
import type { DemoSpaces, LocationSlug } from './locations.ts';

type CheckInRow = Prisma.CheckInCreateManyInput;

/**
 * Who came today, as far as the day has gone, and who is in; before a location opens, and on Sundays, who came on the
 * last day on which it was open. What has not happened yet is not told.
 */
export async function addCheckIns(ctx: Context, places: DemoSpaces): Promise<void> {
  const guests = await loadGuests(ctx);
  for (const slug of Object.keys(checkInPlan) as LocationSlug[]) {
    const { id } = places.locations[slug];
    const hours = (await findOpeningHoursByLocation(ctx, [id])).get(id) ?? [];
    await ctx.db.checkIn.createMany({
      data: toCheckInRows(slug, places, hours, guests, ctx.now()),
    });
  }
}

function toCheckInRows(
  slug: LocationSlug,
  places: DemoSpaces,
  hours: OpeningHours[],
  guests: GuestLookup,
  now: Date,
): CheckInRow[] {
  const { id: locationId, calendar } = places.locations[slug];
  const { inDays, date, opens, closes } = findLastOpenDay(
    places.locations[slug].calendar,
    hours,
    now,
  );
  const timeZone = calendar.at({ inDays }, '12:00').timeZoneId;
  const leavingAfter = (at: Date) =>
    new Date(findClosingTime({ timeZone, hours, closures: [] }, at.getTime()));

  const attempt = (at: Date) => ({
    id: v7(),
    locationId,
    occurredAt: at,
    createdAt: at,
    actor: 'anonymous',
  });
  const admitted = (
    at: Date,
    who: Partial<CheckInRow>,
    autoCheckOutAt: Date,
    left?: Date,
  ): CheckInRow => {
    const end = left && left < autoCheckOutAt ? left : autoCheckOutAt;
    const gone = end <= now ? { checkedOutAt: end, autoCheckedOut: end === autoCheckOutAt } : {};
    return { ...attempt(at), ...who, result: 'admitted', autoCheckOutAt, ...gone };
  };
  const moment = (time: string) => toDate(calendar.at({ inDays }, time));
  const happened = ({ at }: { at: string }) =>
    moment(at) >= opens && moment(at) < closes && moment(at) <= now;

  const visits = checkInPlan[slug].visits.filter(happened).flatMap((visit): CheckInRow[] => {
    const at = moment(visit.at);
    const who = guests.findSubject(visit, slug, date);
    if (who === null) return [];
    const left = visit.until === undefined ? undefined : moment(visit.until);
    return [admitted(at, who.row, who.endsAt ?? leavingAfter(at), left)];
  });
  const refusals = checkInPlan[slug].rejections
    .filter(happened)
    .flatMap((refusal): CheckInRow[] => {
      const who = guests.findRejectedSubject(refusal, slug, date);
      return who === null
        ? []
        : [{ ...attempt(moment(refusal.at)), ...who, result: refusal.result }];
    });
  const owls = (closes <= now ? afterHoursMembers[slug] : []).map((email, n): CheckInRow => {
    const at = new Date(now.getTime() - (35 + n * 25) * MINUTE_MS);
    return admitted(at, guests.member(email), leavingAfter(at));
  });
  return [...visits, ...refusals, ...owls];
}

function findLastOpenDay(
  calendar: DemoSpaces['locations'][LocationSlug]['calendar'],
  hours: OpeningHours[],
  now: Date,
) {
  for (let inDays = 0; ; inDays -= 1) {
    const midnight = calendar.at({ inDays }, '00:00');
    const open = hours.find(({ weekday }) => weekday === midnight.dayOfWeek);
    if (!open) continue;
    const at = (minutes: number) =>
      toDate(
        midnight.toPlainDate().toZonedDateTime({
          timeZone: midnight.timeZoneId,
          plainTime: { hour: Math.floor(minutes / 60), minute: minutes % 60 },
        }),
      );
    const opens = at(open.opensMinute);
    if (opens > now) continue;
    const date = midnight.toPlainDate().toString();
    return { inDays, date, opens, closes: at(open.closesMinute) };
  }
}

type PlannedSubject = Partial<
  Pick<
    Prisma.CheckInCreateManyInput,
    'subject' | 'label' | 'memberId' | 'hostId' | 'dayPassId' | 'ticketId' | 'actor'
  >
>;

type GuestLookup = Awaited<ReturnType<typeof loadGuests>>;

/** All who may stand at a door, in one order every time. */
async function loadGuests({ db }: Context) {
  const members = await db.member.findMany({ select: { id: true, name: true, email: true } });
  const location = { select: { slug: true } };
  const passes = await db.dayPass.findMany({
    where: { status: 'valid' },
    include: { type: { include: { location } } },
    orderBy: [{ validOn: 'asc' }, { code: 'asc' }],
  });
  const tickets = await db.ticket.findMany({
    where: { status: 'valid', attendeeEmail: { notIn: members.map(({ email }) => email) } },
    include: { event: { include: { location } } },
    orderBy: { code: 'asc' },
  });
  const desk = await db.user.findFirst({ where: { role: 'front_desk' } });

  const memberBy = (email: string) => {
    const found = members.find((member) => member.email === email);
    if (!found) throw new Error(`The demo space has no member ${email}`);
    return found;
  };
  const member = (email: string): PlannedSubject => {
    const { id, name } = memberBy(email);
    return { subject: 'member', label: name, memberId: id };
  };
  const passBy = (fits: (at: string, day: string) => boolean, n = 0): PlannedSubject | null => {
    const found = passes.filter(({ type, validOn }) =>
      fits(type.location.slug, parseDateColumn(validOn)),
    )[n];
    return found ? { subject: 'day_pass', label: found.holderName, dayPassId: found.id } : null;
  };

  const whoIs = (
    visit: PlannedVisit,
    slug: LocationSlug,
    date: string,
  ): { row: PlannedSubject; endsAt?: Date } | null => {
    if ('member' in visit) return { row: member(visit.member) };
    if ('visitor' in visit) {
      const row: PlannedSubject = {
        subject: 'visitor',
        label: visit.visitor,
        hostId: memberBy(visit.host).id,
        ...(desk ? { actor: `staff:${desk.id}` } : {}),
      };
      return { row };
    }
    if ('dayPass' in visit) {
      const row = passBy((at, day) => at === slug && day === date, visit.dayPass);
      return row && { row };
    }
    const ticket = tickets.filter(
      ({ event }) =>
        event.location.slug === slug &&
        event.slug === visit.event &&
        event.startsAt.toISOString().startsWith(date),
    )[visit.guest];
    if (!ticket) return null;
    const { id, attendeeName, event } = ticket;
    return {
      row: { subject: 'ticket', label: attendeeName, ticketId: id },
      endsAt: event.endsAt,
    };
  };

  const refused = (
    refusal: PlannedRejection,
    slug: LocationSlug,
    date: string,
  ): PlannedSubject | null => {
    switch (refusal.result) {
      case 'membership_inactive':
        return member(refusal.member);
      case 'not_yet_valid':
        return passBy((at, day) => at === slug && day > date);
      case 'wrong_location':
        return passBy((at, day) => at !== slug && day >= date);
      case 'not_found':
        return {};
    }
  };

  return { member, findSubject: whoIs, findRejectedSubject: refused };
}
