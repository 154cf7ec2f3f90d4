import { projectInstant } from '../../db/json-projection.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { toOriginSql, toRecordSql } from '../../journal/record-changes.ts';

// The statements that write attempts and visits, each with its record in the journal.

/** Parameters: the attempt as JSON, the type of the change or null to record none, the origin. */
export const INSERT_ATTEMPT = prepareStatement(`
  WITH attempt AS (
    INSERT INTO check_ins (id, location_id, result, subject, label, ticket_id, entry, day_pass_id, booking_id, member_id, host_id,
      disputed, before_cancellation, occurred_at, unconfirmed, auto_check_out_at, checked_out_at, auto_checked_out, ended_visit, scan_id, request_hash, check_out_hash,
      check_out_salt, actor, created_at)
    SELECT a.id, a."locationId", a.result, a.subject, a.label, a."ticketId", coalesce(a.entry, 0), a."dayPassId", a."bookingId",
      a."memberId", a."hostId", coalesce(a.disputed, false), coalesce(a."beforeCancellation", false), a."occurredAt", coalesce(a.unconfirmed, false), a."autoCheckOutAt", a."checkedOutAt", coalesce(a."autoCheckedOut", false),
      coalesce(a."endedVisit", false), a."scanId", decode(a."requestHash", 'hex'), decode(a."checkOutHash", 'hex'),
      decode(a."checkOutSalt", 'hex'), a.actor, a."createdAt"
    FROM jsonb_to_record($1::jsonb) AS a(id uuid, "locationId" uuid, result check_in_result, unconfirmed boolean, disputed boolean, "beforeCancellation" boolean, subject check_in_subject, label text,
      "ticketId" uuid, entry int, "dayPassId" uuid, "bookingId" uuid, "memberId" uuid, "hostId" uuid, "occurredAt" timestamptz,
      "autoCheckOutAt" timestamptz, "checkedOutAt" timestamptz, "autoCheckedOut" boolean, "endedVisit" boolean, "scanId" text,
      "requestHash" text, "checkOutHash" text, "checkOutSalt" text, actor text, "createdAt" timestamptz)
    ON CONFLICT DO NOTHING RETURNING *),
  recorded AS (${toRecordSql({
    subject: 'check_in',
    type: '$2::text',
    source: `attempt row, ${toOriginSql('$3')} WHERE $2::text IS NOT NULL`,
  })})
  SELECT id FROM attempt`);

/** SQL that records the visits of the table `ended`. `previous` is the end that they had before. */
const toRecordCheckedOutSql = (originParameter: string, previous = 'NULL') =>
  toRecordSql({
    subject: 'check_in',
    // Programs that follow who is present must not treat a person as departed who never arrived.
    type: `CASE WHEN row.unconfirmed THEN 'check_in.unconfirmed_ended' ELSE 'check_in.checked_out' END`,
    source: `ended row, ${toOriginSql(originParameter)}`,
    before: `jsonb_build_object('checked_out_at', ${previous})`,
    after: `jsonb_build_object('checked_out_at', ${projectInstant('row.checked_out_at')})`,
  });

/** Ends an open visit. Parameters: its id, the end, whether it ends automatically, the origin. */
export const END_VISIT = prepareStatement(`
  WITH ended AS (
    UPDATE check_ins SET checked_out_at = $2::timestamptz, auto_checked_out = $3::boolean
    WHERE id = $1::uuid AND checked_out_at IS NULL RETURNING *),
  recorded AS (${toRecordCheckedOutSql('$4')})
  SELECT id FROM ended`);

/** Moves the end of a visit that ended automatically. Parameters: its id, the end, the origin. */
export const CORRECT_AUTO_CHECK_OUT = prepareStatement(`
  WITH automatic AS MATERIALIZED (
    SELECT id, checked_out_at FROM check_ins
    WHERE id = $1::uuid AND auto_checked_out AND occurred_at <= $2::timestamptz AND checked_out_at > $2::timestamptz
    FOR NO KEY UPDATE),
  ended AS (
    UPDATE check_ins c SET checked_out_at = $2::timestamptz, auto_checked_out = false
    FROM automatic WHERE c.id = automatic.id RETURNING c.*, automatic.checked_out_at AS previous_end),
  recorded AS (${toRecordCheckedOutSql('$3', projectInstant('row.previous_end'))})
  SELECT id FROM ended`);

/**
 * SQL of the tables `ended` and `recorded`: ends the visits at a locked location that are past their automatic check-out. `$1` is
 * the location and `$2` the current time.
 */
export const toEndOverdueVisitsSql = (originParameter: string) => `
  ended AS (
    UPDATE check_ins SET checked_out_at = auto_check_out_at, auto_checked_out = true
    WHERE location_id = $1::uuid AND result = 'admitted' AND checked_out_at IS NULL AND auto_check_out_at <= $2::timestamptz
    RETURNING *),
  recorded AS (${toRecordCheckedOutSql(originParameter)})`;
