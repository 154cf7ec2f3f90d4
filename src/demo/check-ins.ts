import { v7 } from 'uuid';
import type { Ctx } from '../context.ts';
import type { Prisma } from '../db/generated/client.ts';
import { closesAt } from '../features/check-ins/closing.ts';
import { type OpeningHours, openingHoursOf } from '../features/spaces/service.ts';
import { toDate } from './calendar.ts';
import { type Guests, guestsIn } from './check-in-guests.ts';
import { nightOwls, plan } from './check-in-plan.ts';
import type { LocationSlug } from './inventory.ts';
import type { Places } from './places.ts';

type Row = Prisma.CheckInCreateManyInput;

const MINUTE_MS = 60_000;

/**
 * Who came today, as far as the day has gone, and who is in; before a location opens, and on Sundays, who came on the
 * last day on which it was open. What has not happened yet is not told.
 */
export async function addCheckIns(ctx: Ctx, places: Places): Promise<void> {
  const guests = await guestsIn(ctx);
  for (const slug of Object.keys(plan) as LocationSlug[]) {
    const { id } = places.locations[slug];
    const hours = (await openingHoursOf(ctx, [id])).get(id) ?? [];
    await ctx.db.checkIn.createMany({ data: rowsOf(slug, places, hours, guests, ctx.now()) });
  }
}

function rowsOf(
  slug: LocationSlug,
  places: Places,
  hours: OpeningHours[],
  guests: Guests,
  now: Date,
): Row[] {
  const { id: locationId, calendar } = places.locations[slug];
  const { inDays, date, opens, closes } = lastOpenDay(places.locations[slug].calendar, hours, now);
  const timeZone = calendar.at({ inDays }, '12:00').timeZoneId;
  const leavingAfter = (at: Date) =>
    new Date(closesAt({ timeZone, hours, closures: [] }, at.getTime()));

  const attempt = (at: Date) => ({
    id: v7(),
    locationId,
    occurredAt: at,
    createdAt: at,
    actor: 'anonymous',
  });
  const admitted = (at: Date, who: Partial<Row>, autoCheckOutAt: Date, left?: Date): Row => {
    const end = left && left < autoCheckOutAt ? left : autoCheckOutAt;
    const gone = end <= now ? { checkedOutAt: end, autoCheckedOut: end === autoCheckOutAt } : {};
    return { ...attempt(at), ...who, result: 'admitted', autoCheckOutAt, ...gone };
  };
  const moment = (time: string) => toDate(calendar.at({ inDays }, time));
  const happened = ({ at }: { at: string }) =>
    moment(at) >= opens && moment(at) < closes && moment(at) <= now;

  const visits = plan[slug].visits.filter(happened).flatMap((visit): Row[] => {
    const at = moment(visit.at);
    const who = guests.whoIs(visit, slug, date);
    if (who === null) return [];
    const left = visit.until === undefined ? undefined : moment(visit.until);
    return [admitted(at, who.row, who.endsAt ?? leavingAfter(at), left)];
  });
  const refusals = plan[slug].refusals.filter(happened).flatMap((refusal): Row[] => {
    const who = guests.refused(refusal, slug, date);
    return who === null ? [] : [{ ...attempt(moment(refusal.at)), ...who, result: refusal.result }];
  });
  const owls = (closes <= now ? nightOwls[slug] : []).map((email, n): Row => {
    const at = new Date(now.getTime() - (35 + n * 25) * MINUTE_MS);
    return admitted(at, guests.member(email), leavingAfter(at));
  });
  return [...visits, ...refusals, ...owls];
}

function lastOpenDay(
  calendar: Places['locations'][LocationSlug]['calendar'],
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
