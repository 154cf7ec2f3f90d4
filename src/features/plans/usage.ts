import type { Ctx } from '../../context.ts';
import type { Day } from '../../dates.ts';
import type { ResourceType } from '../../db/generated/client.ts';
import { statement } from '../../db/sql.ts';

/** What a membership has used of one type of resource in a calendar month. */
export interface Usage {
  resourceType: ResourceType;
  /** Taken from the allowance. */
  includedMinutes: number;
  /** Booked altogether, whether they came or not; cancelled ones do not count. */
  bookedMinutes: number;
}

const USAGE = statement(`
  SELECT resource.type AS "resourceType",
    sum(booking.included_minutes)::int AS "includedMinutes",
    coalesce(sum(extract(epoch FROM booking.ends_at - booking.starts_at) / 60)
      FILTER (WHERE booking.status <> 'cancelled'), 0)::int AS "bookedMinutes"
  FROM bookings booking JOIN resources resource ON resource.id = booking.resource_id
  WHERE booking.membership_id = $1::uuid AND booking.usage_month = $2::date
  GROUP BY resource.type ORDER BY resource.type`);

/** Of the month, named by its first day, in which the bookings begin by their location's clocks. Types without bookings are left out. */
export const usageOf = ({ sql }: Ctx, membershipId: string, month: Day): Promise<Usage[]> =>
  sql<Usage>(USAGE, [membershipId, month]);
