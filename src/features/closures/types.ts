import { toDayEndSql, toDayStartSql } from '../../db/day-bounds.ts';

/**
 * SQL: the tickets and day passes within a closure that are not over, as a subquery, once for the holder and once for the buyer.
 * Orders that are paid at the front desk are included once the buyer has confirmed them.
 */
export const selectAdmissionsInClosure = (closureId: string, now: string) => `(
  SELECT person.email, admission.title, admission.starts_at, admission.ends_at, admission.valid_on
  FROM (
    SELECT t.order_id, t.status, t.attendee_email AS holder, e.title, e.starts_at, e.ends_at, NULL::date AS valid_on
    FROM closures c JOIN locations l ON l.id = c.location_id JOIN events e ON e.location_id = c.location_id
    JOIN tickets t ON t.event_id = e.id
    WHERE c.id = ${closureId} AND e.status = 'published' AND e.ends_at > ${now}
      AND e.starts_at < ${toDayEndSql('c.ends_on', 'l.time_zone')}
      AND e.ends_at > ${toDayStartSql('c.starts_on', 'l.time_zone')}
    UNION ALL
    SELECT p.order_id, p.status, p.holder_email, type.name, NULL, NULL, p.valid_on
    FROM closures c JOIN locations l ON l.id = c.location_id JOIN day_pass_types type ON type.location_id = c.location_id
    JOIN day_passes p ON p.type_id = type.id
    WHERE c.id = ${closureId} AND p.valid_on BETWEEN c.starts_on AND c.ends_on
      AND p.valid_on >= (${now} AT TIME ZONE l.time_zone)::date) admission
  JOIN orders o ON o.id = admission.order_id
  CROSS JOIN LATERAL (VALUES (admission.holder), (o.buyer_email)) person (email)
  WHERE person.email IS NOT NULL AND (admission.status = 'valid'
    OR admission.status = 'held' AND o.provider = 'on_site' AND o.confirmed_hold_until IS NULL AND o.expires_at > ${now}))`;
