import { v7 } from 'uuid';
import type { Context } from '../../context.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import {
  canOwnerRead,
  isOwnerActiveSql,
  type OwnerRights,
  toOwnerRightsSql,
} from './endpoint-owner.ts';
import { toSubscriptionNames } from './event-catalog.ts';

/** A webhook, the names of the events that it subscribes to, and the rights of its owner. */
export interface Subscriber extends OwnerRights {
  id: string;
  events: string[];
}

const FIND_SUBSCRIBERS = prepareStatement(`
  SELECT e.id, e.events, ${toOwnerRightsSql('e')} FROM webhook_endpoints e
  WHERE e.disabled_at IS NULL AND e.events && $1::text[] AND ${isOwnerActiveSql('e', '$2::timestamptz')}`);

/** Finds the enabled webhooks that subscribe to any of these types of events and whose owners are active. */
export const findSubscribers = ({ pipelinedSql, now }: Context, types: string[]) =>
  pipelinedSql<Subscriber>(FIND_SUBSCRIBERS, [types.flatMap(toSubscriptionNames), now()]);

/** Whether a webhook gets messages of this type: it subscribes to them, and its owner can read them now. */
export const canReceive = (subscriber: Subscriber, type: string) =>
  toSubscriptionNames(type).some((name) => subscriber.events.includes(name)) &&
  canOwnerRead(subscriber, type);

// The lock prevents a webhook that is being deleted from failing the caller's transaction.
const INSERT_MESSAGES = prepareStatement(`
  WITH message AS (
    INSERT INTO webhook_messages (id, type, payload, created_at)
    SELECT new.id, new.type, new.payload, $2::timestamptz
    FROM jsonb_to_recordset($1::jsonb) AS new (id uuid, type text, payload jsonb)),
  delivery AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($3::jsonb) AS new (id uuid, endpoint_id uuid, message_id uuid)),
  subscriber AS (
    SELECT id FROM webhook_endpoints WHERE id IN (SELECT endpoint_id FROM delivery) FOR KEY SHARE)
  INSERT INTO webhook_deliveries (id, endpoint_id, message_id, next_attempt_at, created_at)
  SELECT delivery.id, subscriber.id, delivery.message_id, $2::timestamptz, $2::timestamptz
  FROM delivery JOIN subscriber ON subscriber.id = delivery.endpoint_id`);

export interface NewMessage {
  type: string;
  payload: object;
  /** The ids of the webhooks that receive it. */
  endpoints: string[];
}

/**
 * Stores messages with one delivery for each webhook and returns the ids of the deliveries. Skips messages without
 * webhooks.
 */
export async function queueMessages(ctx: Context, newMessages: NewMessage[]): Promise<string[]> {
  const messages = newMessages
    .filter(({ endpoints }) => endpoints.length > 0)
    .map((message) => ({ id: v7(), ...message }));
  if (messages.length === 0) return [];
  const deliveries = messages.flatMap(({ id: message_id, endpoints }) =>
    endpoints.map((endpoint_id) => ({ id: v7(), endpoint_id, message_id })),
  );
  await ctx.lockingSql(INSERT_MESSAGES, [
    JSON.stringify(messages),
    ctx.now(),
    JSON.stringify(deliveries),
  ]);
  await ctx.triggerJob?.(ctx, 'webhooks.deliver');
  return deliveries.map(({ id }) => id);
}
