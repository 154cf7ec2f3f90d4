import type { Ctx } from '../../context.ts';
import { DAY_MS } from '../../time.ts';

const KEPT_MS = 30 * DAY_MS;

/** Timed work: messages go after a month, with what became of them. */
export const forgetMessages = ({ db, now }: Ctx) =>
  db.webhookMessage.deleteMany({
    where: { createdAt: { lt: new Date(now().getTime() - KEPT_MS) } },
  });

const GIVEN_UP_DAYS = 5;

/**
 * Timed work: gives up on webhooks that have failed for five days, up to now and without a single success. The days
 * begin anew with every change of a webhook.
 */
export async function disableDead({ db, now }: Ctx): Promise<void> {
  const at = now();
  const daysAgo = new Date(at.getTime() - GIVEN_UP_DAYS * DAY_MS);
  const dayAgo = new Date(at.getTime() - DAY_MS);
  const reason = `Every attempt to reach it has failed for ${GIVEN_UP_DAYS} days.`;
  await db.$executeRaw`
    WITH attempts AS (
      SELECT d.endpoint_id, max(a.at) FILTER (WHERE a.error IS NULL) AS succeeded,
        max(a.at) FILTER (WHERE a.error IS NOT NULL) AS failed
      FROM webhook_endpoints e JOIN webhook_deliveries d ON d.endpoint_id = e.id
      JOIN webhook_attempts a ON a.delivery_id = d.id
      WHERE e.disabled_at IS NULL GROUP BY d.endpoint_id)
    UPDATE webhook_endpoints e SET disabled_at = ${at}, disabled_reason = ${reason}, updated_at = ${at}
    FROM attempts latest
    WHERE latest.endpoint_id = e.id AND e.disabled_at IS NULL AND latest.failed > ${dayAgo} AND EXISTS (
      SELECT FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
      WHERE d.endpoint_id = e.id AND a.error IS NOT NULL AND a.at <= ${daysAgo} AND a.at >= e.updated_at
        AND (latest.succeeded IS NULL OR a.at > latest.succeeded))`;
}
