import type { Ctx } from '../../../context.ts';
import { type Day, fromColumn, spanOf, toColumn } from '../../../dates.ts';
import type { Closure as Row } from '../../../db/generated/client.ts';
import { statement } from '../../../db/sql.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { isUuid } from '../../../values.ts';
import { location } from '../locations/service.ts';

/** Days on which a location is shut, by its wall clock, the last one included. */
export interface Closure {
  id: string;
  startsOn: Day;
  endsOn: Day;
  reason: string | null;
  location: { id: string; name: string; timeZone: string };
}

const SHOWN = {
  include: { location: { select: { id: true, name: true, timeZone: true } } },
} as const;

/** By location, the soonest first; those that were over before `from` are left out. */
export async function closuresOf(
  { db }: Ctx,
  locationIds: string[],
  from: Day | null,
): Promise<Map<string, Closure[]>> {
  const rows = await db.closure.findMany({
    ...SHOWN,
    where: { locationId: { in: locationIds }, ...(from && { endsOn: { gte: toColumn(from) } }) },
    orderBy: [{ startsOn: 'asc' }, { id: 'asc' }],
  });
  const found = new Map<string, Closure[]>(locationIds.map((id) => [id, []]));
  for (const row of rows) found.get(row.locationId)?.push(toClosure(row));
  return found;
}

/** Cancels nothing by itself: see `bookingsWithin`. Throws NOT_FOUND for the location, VALIDATION when it ends before it starts. */
export async function createClosure(
  ctx: Ctx,
  input: { locationId: string; startsOn: Day; endsOn: Day; reason?: string | undefined },
): Promise<Closure> {
  if (input.endsOn < input.startsOn) {
    throw new DomainError('VALIDATION', 'endsOn: must not lie before startsOn.', {
      reason: 'ENDS_BEFORE_START',
    });
  }
  await location(ctx, input.locationId);
  const { startsOn, endsOn } = input;
  return toClosure(
    await ctx.db.closure.create({
      ...SHOWN,
      data: {
        locationId: input.locationId,
        startsOn: toColumn(startsOn),
        endsOn: toColumn(endsOn),
        reason: input.reason ?? null,
        createdAt: ctx.now(),
      },
    }),
  );
}

/** Answers with what it was. Throws NOT_FOUND. */
export async function deleteClosure({ db }: Ctx, id: string): Promise<Closure> {
  const row = isUuid(id) ? await db.closure.findUnique({ ...SHOWN, where: { id } }) : null;
  const { count } = row === null ? { count: 0 } : await db.closure.deleteMany({ where: { id } });
  if (row === null || count === 0) throw notFound('closure');
  return toClosure(row);
}

const WITHIN = statement(`
  SELECT span.closure_id AS id, count(b.id)::int AS bookings
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[]) span (closure_id, location_id, starts, ends)
  JOIN bookings b ON b.location_id = span.location_id AND b.status IN ('pending', 'confirmed')
    AND tstzrange(b.starts_at, b.ends_at) && tstzrange(span.starts, span.ends)
  GROUP BY span.closure_id`);

/** How many pending and confirmed bookings lie in each of these closures, even if only in part; by the closure's id. */
export async function bookingsWithin(
  { sql }: Ctx,
  closures: readonly Closure[],
): Promise<Map<string, number>> {
  const spans = closures.map(({ startsOn, endsOn, location }) =>
    spanOf(startsOn, endsOn, location.timeZone),
  );
  const rows = await sql<{ id: string; bookings: number }>(WITHIN, [
    closures.map(({ id }) => id),
    closures.map(({ location }) => location.id),
    spans.map(({ from }) => from.toISOString()),
    spans.map(({ to }) => to.toISOString()),
  ]);
  return new Map(rows.map(({ id, bookings }) => [id, bookings]));
}

const toClosure = ({
  id,
  startsOn,
  endsOn,
  reason,
  location,
}: Row & Pick<Closure, 'location'>): Closure => ({
  id,
  startsOn: fromColumn(startsOn),
  endsOn: fromColumn(endsOn),
  reason,
  location,
});
