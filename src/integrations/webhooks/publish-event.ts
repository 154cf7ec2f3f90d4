import { v7 } from 'uuid';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { toSnakeCase } from '../../core/snake-case.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import type { RecordedChange } from '../../journal/read-changes.ts';
import { isOwnerActiveSql } from './endpoint-owner.ts';
import { EVENTS, type EventType, toSubscriptionNames } from './event-catalog.ts';

interface TypedDomainEvent<Type extends EventType> {
  type: Type;
  payload: CamelCased<EventPayload<Type>>;
}

/** A domain event, with the field names of the services. */
export type DomainEvent = { [Type in EventType]: TypedDomainEvent<Type> }[EventType];

/**
 * Queues an event for its webhooks in the caller's transaction. It is sent after the commit. Without subscribers this costs
 * one statement on a small table, and `loadPayloads` is not called.
 */
export const publishDomainEvent = <Type extends EventType>(
  ctx: Context,
  type: Type,
  loadPayloads: () =>
    | TypedDomainEvent<Type>['payload'][]
    | Promise<TypedDomainEvent<Type>['payload'][]>,
): Promise<void> =>
  publishDomainEvents(ctx, [type], async () =>
    (await loadPayloads()).map((payload) => ({ type, payload })),
  );

/** Queues events of several types, in order. `types` lists every type that can occur. */
export async function publishDomainEvents(
  ctx: Context,
  types: EventType[],
  loadEvents: () => TypedDomainEvent<EventType>[] | Promise<TypedDomainEvent<EventType>[]>,
): Promise<void> {
  const endpoints = await findSubscribers(ctx, types);
  if (endpoints.length === 0) return;
  const messages = (await loadEvents()).flatMap(({ type, payload: fields }) => {
    // Parsing drops fields that are not part of the payload.
    const { data: payload, error } = EVENTS[type].payload.safeParse(toPayloadJson(fields));
    if (payload === undefined) {
      // A bug in one payload must not roll back the change or delay other events.
      ctx.log.error({ type, err: error }, 'event not sent; its payload does not match the schema');
      return [];
    }
    const subscribers = endpoints.filter(({ events }) => isSubscribed(events, type));
    return [{ type, payload, endpoints: subscribers.map(({ id }) => id) }];
  });
  await queueMessages(ctx, messages);
}

/** Queues entries of the journal for the webhooks that subscribe to their types, in order. Webhooks do not receive their own. */
export async function publishChanges(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const endpoints = await findSubscribers(ctx, [...new Set(changes.map(({ type }) => type))]);
  const messages = changes.map(({ type, subjectId, locationId, ...change }) => ({
    type,
    payload: { change: { ...change, subject_id: subjectId, location_id: locationId } },
    endpoints: endpoints
      .filter(({ id, events }) => id !== subjectId && isSubscribed(events, type))
      .map(({ id }) => id),
  }));
  await queueMessages(ctx, messages);
}

const FIND_SUBSCRIBERS = prepareStatement(`
  SELECT e.id, e.events FROM webhook_endpoints e
  WHERE e.disabled_at IS NULL AND e.events && $1::text[] AND ${isOwnerActiveSql('e', '$2::timestamptz')}`);

const findSubscribers = ({ pipelinedSql, now }: Context, types: string[]) =>
  pipelinedSql<{ id: string; events: string[] }>(FIND_SUBSCRIBERS, [
    types.flatMap(toSubscriptionNames),
    now(),
  ]);

const isSubscribed = (events: string[], type: string) =>
  toSubscriptionNames(type).some((name) => events.includes(name));

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

type EventPayload<Type extends EventType> = z.output<(typeof EVENTS)[Type]['payload']>;

/** Converts a payload type to the form of the services: camelCase names, and dates for instants. */
type CamelCased<T> = T extends readonly (infer Item)[]
  ? CamelCased<Item>[]
  : T extends object
    ? { [Key in keyof T as CamelCaseKey<Key & string>]: CamelCased<T[Key]> }
    : string extends T
      ? T | Date
      : T;

type CamelCaseKey<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCaseKey<Tail>>}`
  : Key;

function toPayloadJson(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toPayloadJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [toSnakeCase(key), toPayloadJson(inner)]),
  );
}

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
