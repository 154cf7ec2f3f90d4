import { Temporal } from 'temporal-polyfill';
import { anonymous } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { toStartOfDay } from '../../../core/time/local-time.ts';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { prepareStatement } from '../../../db/prepared-statement.ts';
import { DomainError, notFound } from '../../../errors.ts';
import type { Slot } from '../booking-preview.ts';
import { findAvailability } from './availability.ts';

/** When the rooms of a location are free on one day, as strangers see it. */
export interface PublicAvailability {
  location: string;
  timeZone: string;
  /** YYYY-MM-DD. */
  date: string;
  rooms: { name: string; free: Slot[] }[];
}

const MAX_DAYS_AHEAD = 60;

const FIND_LOCATION = prepareStatement(`
  SELECT id, name, time_zone AS "timeZone" FROM locations
  WHERE public_availability AND ($1::text IS NULL OR slug = $1::text)
  ORDER BY name, id LIMIT 1`);

interface FoundLocation {
  id: string;
  name: string;
  timeZone: string;
}

/**
 * Finds when rooms are free on a day: by default today at the first location that shows it to everyone. Nobody learns who books
 * them, or whether they are booked or closed. Requests for the same day at the same time share the statements.
 *
 * @throws NOT_FOUND for a location that does not show it, BAD_REQUEST for a day in the past or more than 60 days ahead
 */
export async function findPublicAvailability(
  ctx: Context,
  { location: slug, date: requested }: { location?: string | undefined; date?: string | undefined },
): Promise<PublicAvailability> {
  const [location] = await ctx.pipelinedSql<FoundLocation>(FIND_LOCATION, [slug ?? null]);
  if (location === undefined) throw notFound('location with public availability');
  const now = ctx.now();
  const today = toLocalDate(now, location.timeZone);
  const date = Temporal.PlainDate.from(requested ?? today);
  const daysAhead = Temporal.PlainDate.from(today).until(date).total('days');
  if (daysAhead < 0 || daysAhead > MAX_DAYS_AHEAD) {
    const message = `must be from ${today} to ${MAX_DAYS_AHEAD} days later`;
    throw new DomainError('BAD_REQUEST', `date: ${message}.`, {
      reason: 'INVALID_INPUT',
      fields: [{ field: 'date', message }],
    });
  }
  const start = Math.max(toStartOfDay(date, location.timeZone), now.getTime());
  const end = toStartOfDay(date.add({ days: 1 }), location.timeZone);
  const found = await ctx.queues.sharedReads(
    JSON.stringify(['public-availability', location.id, date.toString()]),
    () =>
      findAvailability(
        { ...ctx, viewer: anonymous },
        { locationId: location.id, types: ['room'] },
        { from: new Date(start), to: new Date(end) },
      ),
  );
  return {
    location: location.name,
    timeZone: location.timeZone,
    date: date.toString(),
    rooms: found.map(({ resource, free }) => ({ name: resource.name, free: free() })),
  };
}
