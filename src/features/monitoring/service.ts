import type { Context } from '../../context.ts';
import { DAY_MS } from '../../core/time/time-zone.ts';
import type { Backlog } from '../../core/work-metrics.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { MAX_EMAIL_AGE_MS } from '../../integrations/email/delivery-worker.ts';
import { isOwnerActiveSql } from '../../integrations/webhooks/endpoint-owner.ts';
import { displayRow } from '../displays/rows.ts';

/** How long an email or a delivery counts as failed. */
const FAILED_FOR_MS = 7 * DAY_MS;

// Each part reads an index that has only what waits or has failed, or a table that grows with the space and not with its history.
const READ_BACKLOG = {
  ...prepareStatement(`
  WITH clock AS (SELECT $1::timestamptz AS now),
    endpoints AS (
      SELECT id, paused_until, disabled_at IS NULL AND ${isOwnerActiveSql('e', '$1::timestamptz')} AS works FROM webhook_endpoints e),
    mail AS (
      SELECT count(*)::int AS waiting,
        min(next_attempt_at) FILTER (WHERE created_at > $3::timestamptz) AS due
      FROM mails WHERE status = 'waiting'),
    delivery AS (
      SELECT count(*) FILTER (WHERE endpoints.works)::int AS waiting, count(*) FILTER (WHERE NOT endpoints.works)::int AS paused,
        min(greatest(next_attempt_at, endpoints.paused_until)) FILTER (WHERE endpoints.works) AS due
      FROM webhook_deliveries d JOIN endpoints ON endpoints.id = d.endpoint_id WHERE d.next_attempt_at IS NOT NULL),
    display AS (
      SELECT status, count(*)::int AS count
      FROM (SELECT ${displayRow.computed.status.sql('d')} AS status FROM displays d, clock) every_display GROUP BY status)
  SELECT
    jsonb_build_object('waiting', mail.waiting, 'failed', (
      SELECT count(*)::int FROM mails WHERE sent_at IS NULL AND created_at > $2::timestamptz AND status = 'failed')) AS emails,
    greatest(extract(epoch FROM clock.now - mail.due), 0)::float8 AS "emailDelaySeconds",
    jsonb_build_object('waiting', delivery.waiting, 'paused', delivery.paused, 'failed', (
      SELECT count(*)::int FROM webhook_deliveries
      WHERE delivered_at IS NULL AND created_at > $2::timestamptz AND next_attempt_at IS NULL)) AS deliveries,
    greatest(extract(epoch FROM clock.now - delivery.due), 0)::float8 AS "deliveryDelaySeconds",
    (SELECT count(*)::int FROM endpoints WHERE NOT works) AS "disabledWebhooks",
    '{"online": 0, "stale": 0, "offline": 0, "revoked": 0}'::jsonb
      || coalesce((SELECT jsonb_object_agg(status, count) FROM display), '{}') AS displays
  FROM clock, mail, delivery`),
  needsCustomPlan: true,
};

/** Reads the backlog at this moment, in one statement whose time does not grow with the history. */
export async function readBacklog({ pipelinedSql, now, hasMailServer }: Context): Promise<Backlog> {
  const at = now().getTime();
  const [backlog] = await pipelinedSql<Backlog>(READ_BACKLOG, [
    new Date(at),
    new Date(at - FAILED_FOR_MS),
    new Date(at - MAX_EMAIL_AGE_MS),
  ]);
  if (backlog === undefined) throw new Error('The statement of the backlog returned no row.');
  return hasMailServer ? backlog : { ...backlog, emailDelaySeconds: 0 };
}
