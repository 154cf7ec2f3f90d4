import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { isUuid } from '../../values.ts';

/** How many are in at a location at this moment. */
export interface Occupancy {
  locationId: string;
  locationName: string;
  present: number;
  /** Null where as many come as like. */
  capacity: number | null;
}

/** By name, of one location or of all. Whose time is over counts no longer, even before it is noted. Throws NOT_FOUND. */
export async function occupancy({ db, now }: Ctx, locationId?: string): Promise<Occupancy[]> {
  if (locationId !== undefined && !isUuid(locationId)) throw notFound('location');
  const [at, id] = [now().toISOString(), locationId ?? null];
  const rows = await db.$queryRaw<Occupancy[]>`
    SELECT l.id AS "locationId", l.name AS "locationName", l.capacity, (
      SELECT count(*)::int FROM check_ins c WHERE c.location_id = l.id AND c.result = 'admitted'
        AND c.checked_out_at IS NULL AND c.auto_check_out_at > ${at}::timestamptz) AS present
    FROM locations l WHERE ${id}::uuid IS NULL OR l.id = ${id}::uuid ORDER BY l.name, l.id`;
  if (locationId !== undefined && rows.length === 0) throw notFound('location');
  return rows;
}
