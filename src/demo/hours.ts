import type { Ctx } from '../context.ts';
import { toColumn } from '../dates.ts';
import { type Day, toDate } from './calendar.ts';
import type { LocationSlug } from './inventory.ts';
import type { Places } from './places.ts';

const workdays = [1, 2, 3, 4, 5];
const saturday = 6;

// Of a day, in hours; closed on Sundays.
const hours: Record<LocationSlug, { onWorkdays: [number, number]; onSaturdays: [number, number] }> =
  {
    kreuzberg: { onWorkdays: [8, 20], onSaturdays: [10, 18] },
    alfama: { onWorkdays: [9, 19], onSaturdays: [10, 16] },
  };

// The week after the last bookings.
const closure: { location: LocationSlug; from: Day; to: Day; reason: string } = {
  location: 'kreuzberg',
  from: { week: 4, weekday: 1 },
  to: { week: 4, weekday: 2 },
  reason: 'The floors are being sanded',
};

export async function addHours(ctx: Ctx, places: Places): Promise<void> {
  const slugs = Object.keys(hours) as LocationSlug[];
  await ctx.db.openingHours.createMany({
    data: slugs.flatMap((slug) =>
      [...workdays, saturday].map((weekday) => {
        const { onWorkdays, onSaturdays } = hours[slug];
        const [opens, closes] = weekday === saturday ? onSaturdays : onWorkdays;
        const locationId = places.locations[slug].id;
        return { locationId, weekday, opensMinute: opens * 60, closesMinute: closes * 60 };
      }),
    ),
  });

  const { id: locationId, calendar } = places.locations[closure.location];
  const dayOf = (day: Day) => toColumn(calendar.at(day, '00:00').toPlainDate().toString());
  await ctx.db.closure.create({
    data: {
      locationId,
      startsOn: dayOf(closure.from),
      endsOn: dayOf(closure.to),
      reason: closure.reason,
      createdAt: toDate(calendar.at({ inDays: -20 }, '10:00')),
    },
  });
}
