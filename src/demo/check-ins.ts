import { v7 } from 'uuid';
import type { Context } from '../context.ts';
import { parseDateColumn } from '../core/time/calendar-date.ts';
import { findClosingTime } from '../core/time/opening-hours.ts';
import { MINUTE_MS } from '../core/time/time-zone.ts';
import type { Prisma } from '../db/generated/client.ts';
import {
  findOpeningHoursByLocation,
  type OpeningHours,
} from '../features/spaces/service/opening-hours.ts';
import { type DemoCalendar, toDate } from './calendar.ts';
import {
  afterHoursMembers,
  checkInPlan,
  type PlannedRejection,
  type PlannedVisit,
} from './check-in-plan.ts';
import type { DemoSpaces, LocationSlug } from './locations.ts';

type CheckInRow = Prisma.CheckInCreateManyInput;

/**
 * Creates the check-ins of today up to now. Before a location opens, and on Sundays, creates those of the last day on which
 * it was open.
 */
export async function addCheckIns(ctx: Context, spaces: DemoSpaces): Promise<void> {
  const guests = await loadGuests(ctx);
  for (const slug of Object.keys(checkInPlan) as LocationSlug[]) {
    const { id } = spaces.locations[slug];
    const hours = (await findOpeningHoursByLocation(ctx, [id])).get(id) ?? [];
    await ctx.db.checkIn.createMany({
      data: toCheckInRows(slug, spaces, hours, guests, ctx.now()),
    });
  }
}

function toCheckInRows(
  slug: LocationSlug,
  spaces: DemoSpaces,
  hours: OpeningHours[],
  guests: GuestLookup,
  now: Date,
): CheckInRow[] {
  const { id: locationId, calendar } = spaces.locations[slug];
  const { inDays, date, opens, closes } = findLastOpenDay(calendar, hours, now);
  const timeZone = calendar.at({ inDays }, '12:00').timeZoneId;
  const findNextClosing = (at: Date) =>
    new Date(findClosingTime({ timeZone, hours, closures: [] }, at.getTime()));

  const createRow = (at: Date) => ({
    id: v7(),
    locationId,
    occurredAt: at,
    createdAt: at,
    actor: 'anonymous',
  });
  const createAdmission = (
    at: Date,
    subject: PlannedSubject,
    autoCheckOutAt: Date,
    leftAt?: Date,
  ): CheckInRow => {
    const end = leftAt && leftAt < autoCheckOutAt ? leftAt : autoCheckOutAt;
    const checkOut =
      end <= now ? { checkedOutAt: end, autoCheckedOut: end === autoCheckOutAt } : {};
    return { ...createRow(at), ...subject, result: 'admitted', autoCheckOutAt, ...checkOut };
  };
  const toInstant = (time: string) => toDate(calendar.at({ inDays }, time));
  const hasHappened = ({ at }: { at: string }) =>
    toInstant(at) >= opens && toInstant(at) < closes && toInstant(at) <= now;

  const visits = checkInPlan[slug].visits.filter(hasHappened).flatMap((visit): CheckInRow[] => {
    const at = toInstant(visit.at);
    const guest = guests.findGuest(visit, slug, date);
    if (guest === null) return [];
    const leftAt = visit.until === undefined ? undefined : toInstant(visit.until);
    return [createAdmission(at, guest.subject, guest.endsAt ?? findNextClosing(at), leftAt)];
  });
  const rejections = checkInPlan[slug].rejections
    .filter(hasHappened)
    .flatMap((rejection): CheckInRow[] => {
      const subject = guests.findRejectedSubject(rejection, slug, date);
      return subject === null
        ? []
        : [{ ...createRow(toInstant(rejection.at)), ...subject, result: rejection.result }];
    });
  const afterHoursVisits = (closes <= now ? afterHoursMembers[slug] : []).map((email, n) => {
    const at = new Date(now.getTime() - (35 + n * 25) * MINUTE_MS);
    return createAdmission(at, guests.getMember(email), findNextClosing(at));
  });
  return [...visits, ...rejections, ...afterHoursVisits];
}

function findLastOpenDay(calendar: DemoCalendar, hours: OpeningHours[], now: Date) {
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
    'subject' | 'label' | 'memberId' | 'hostId' | 'dayPassId' | 'ticketId' | 'actor' | 'unconfirmed'
  >
>;

type GuestLookup = Awaited<ReturnType<typeof loadGuests>>;

/** Loads everyone who can check in, in the same order every time. */
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
  const frontDesk = await db.user.findFirst({ where: { role: 'front_desk' } });

  const getMemberRow = (email: string) => {
    const member = members.find((candidate) => candidate.email === email);
    if (!member) throw new Error(`The sample data has no member ${email}`);
    return member;
  };
  const getMember = (email: string): PlannedSubject => {
    const { id, name } = getMemberRow(email);
    return { subject: 'member', label: name, memberId: id };
  };
  const findDayPass = (
    matches: (slug: string, day: string) => boolean,
    index = 0,
  ): PlannedSubject | null => {
    const pass = passes.filter(({ type, validOn }) =>
      matches(type.location.slug, parseDateColumn(validOn)),
    )[index];
    return pass ? { subject: 'day_pass', label: pass.holderName, dayPassId: pass.id } : null;
  };

  const findGuest = (
    visit: PlannedVisit,
    slug: LocationSlug,
    date: string,
  ): { subject: PlannedSubject; endsAt?: Date } | null => {
    if ('member' in visit) return { subject: getMember(visit.member) };
    if ('unconfirmed' in visit)
      return { subject: { ...getMember(visit.unconfirmed), unconfirmed: true } };
    if ('visitor' in visit) {
      const subject: PlannedSubject = {
        subject: 'visitor',
        label: visit.visitor,
        hostId: getMemberRow(visit.host).id,
        ...(frontDesk ? { actor: `staff:${frontDesk.id}` } : {}),
      };
      return { subject };
    }
    if ('dayPass' in visit) {
      const subject = findDayPass((at, day) => at === slug && day === date, visit.dayPass);
      return subject && { subject };
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
      subject: { subject: 'ticket', label: attendeeName, ticketId: id },
      endsAt: event.endsAt,
    };
  };

  const findRejectedSubject = (
    rejection: PlannedRejection,
    slug: LocationSlug,
    date: string,
  ): PlannedSubject | null => {
    switch (rejection.result) {
      case 'membership_inactive':
        return getMember(rejection.member);
      case 'not_yet_valid':
        return findDayPass((at, day) => at === slug && day > date);
      case 'wrong_location':
        return findDayPass((at, day) => at !== slug && day >= date);
      case 'not_found':
        return {};
    }
  };

  return { getMember, findGuest, findRejectedSubject };
}
