import { isOwnerActiveSql } from './endpoint-owner.ts';
import { type EventType, toSubscriptionNames } from './event-catalog.ts';

interface PublishSqlOptions {
  type: EventType;
  /** A CTE with at most one row and a column `payload`, as the event catalog documents it. */
  source: string;
  /** SQL of the message's id, a UUID v7. */
  messageId: string;
  /** SQL of the time at which it happened. */
  now: string;
}

/**
 * Renders CTEs that publish an event in the same statement as the change itself: a message, and in `delivery` one row
 * for each subscribed endpoint. Without a subscriber it writes nothing. The caller triggers the job `webhooks.deliver`
 * when `delivery` has rows.
 *
 * FOR KEY SHARE, because an endpoint that is deleted at this moment must not make the change fail. The id of a delivery
 * begins like the message's: deliveries stay in the order of their messages.
 */
export const toPublishSql = ({ type, source, messageId, now }: PublishSqlOptions) => `
  subscriber AS MATERIALIZED (
    SELECT e.id FROM webhook_endpoints e
    WHERE e.disabled_at IS NULL AND e.events && ARRAY[${toSubscriptionNames(type)
      .map((name) => `'${name}'`)
      .join(', ')}]
      AND ${isOwnerActiveSql('e', now)} AND EXISTS (SELECT FROM ${source})
    FOR KEY SHARE OF e),
  message AS (
    INSERT INTO webhook_messages (id, type, payload, created_at)
    SELECT ${messageId}, '${type}', ${source}.payload, ${now} FROM ${source}
    WHERE EXISTS (SELECT FROM subscriber)),
  delivery AS (
    INSERT INTO webhook_deliveries (id, endpoint_id, message_id, next_attempt_at, created_at)
    SELECT (left(${messageId}::text, 28) || right(gen_random_uuid()::text, 8))::uuid, subscriber.id, ${messageId},
      ${now}, ${now}
    FROM subscriber
    RETURNING id)`;
