// Free slots of one location that is always open, with a slot interval and a buffer of 15 minutes.

const QUARTER = 15 * 60_000;

/** $1 is the hash of a bearer token, $2 the current time, $3 the location, $4 and $5 the span. */
export const AVAILABILITY = `SELECT EXISTS (
    SELECT FROM api_tokens WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
      AND scopes && '{*,spaces:read}') AS may,
  (SELECT json_agg(json_build_object('id', r.id, 'name', r.name, 'amount', r.hourly_amount,
     'currency', r.currency, 'busy', (
       SELECT coalesce(json_agg(json_build_array(
         (extract(epoch FROM b.starts_at) * 1000)::bigint, (extract(epoch FROM b.occupied_until) * 1000)::bigint)
         ORDER BY b.starts_at), '[]'::json)
       FROM (
         SELECT starts_at, occupied_until FROM bookings
         WHERE resource_id = r.id AND status IN ('pending', 'confirmed')
           AND tstzrange(starts_at, occupied_until) && tstzrange($4::timestamptz, $5::timestamptz + interval '1 day')
         UNION ALL
         SELECT starts_at, ends_at + interval '15 minutes' FROM events
         WHERE resource_id = r.id AND status = 'published' AND tstzrange(starts_at, ends_at)
           && tstzrange($4::timestamptz - interval '1 day', $5::timestamptz + interval '1 day')) b)
     ) ORDER BY r.name, r.id)
   FROM resources r WHERE r.location_id = $3 AND r.active)::text AS json`;

interface Row {
  id: string;
  name: string;
  amount: number;
  currency: string;
  busy: [number, number][];
}

/** The body that GraphQL answers with. */
export function freeSlots(json: string, { from, to, minutes }: AvailabilityRequest): string {
  const rows: Row[] = JSON.parse(json);
  const length = minutes * 60_000;
  const availability = rows.map(({ id, name, amount, currency, busy }) => {
    const price = { amount: Math.round((amount * minutes) / 60), currency };
    const slots: object[] = [];
    let next = 0;
    for (let start = Date.parse(from); start + length <= Date.parse(to); start += QUARTER) {
      const end = start + length;
      while ((busy[next]?.[1] ?? Number.POSITIVE_INFINITY) <= start) next += 1;
      const isBooked = busy.slice(next, next + 2).some(([a, b]) => a < end + QUARTER && start < b);
      if (isBooked) continue;
      const [startsAt, endsAt] = [start, end].map((at) => new Date(at).toISOString());
      slots.push({ startsAt, endsAt, price });
    }
    return { resource: { id, name }, slots };
  });
  return JSON.stringify({ data: { availability } });
}

export interface AvailabilityRequest {
  from: string;
  to: string;
  minutes: number;
  locationId: string;
}
