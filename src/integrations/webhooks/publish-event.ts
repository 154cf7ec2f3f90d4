import { v7 } from 'uuid';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { prepareStatement } from '../../db/prepared-statement.ts';
import { isOwnerActiveSql } from './endpoint-owner.ts';
import { EVENTS, type EventType, toSubscriptionNames } from './event-catalog.ts';

interface TypedDomainEvent<Type extends EventType> {
  type: Type;
  payload: CamelCased<EventPayload<Type>>;
}

/** Something that happened, in the words of the services. */
export type DomainEvent = { [Type in EventType]: TypedDomainEvent<Type> }[EventType];

/**
 * Tells webhooks what happened, in the caller's transaction: it leaves when that is done, or never was. Where nobody
 * listens this is one look at a small table, and `payloads` is not asked. Calls nobody.
 */
export const publishDomainEvent = <Type extends EventType>(
  ctx: Context,
  type: Type,
  payloads: () =>
    | TypedDomainEvent<Type>['payload'][]
    | Promise<TypedDomainEvent<Type>['payload'][]>,
): Promise<void> =>
  publishDomainEvents(ctx, [type], async () =>
    (await payloads()).map((payload) => ({ type, payload })),
  );

/** The same where various things happened, in their order; `types` are all that may be among them. */
export async function publishDomainEvents(
  ctx: Context,
  types: EventType[],
  news: () => TypedDomainEvent<EventType>[] | Promise<TypedDomainEvent<EventType>[]>,
): Promise<void> {
  const endpoints = await findSubscribers(ctx, types);
  if (endpoints.length === 0) return;
  const messages = (await news()).flatMap(({ type, payload: told }) => {
    // Parsing leaves out what the services know besides.
    const { data: payload, error } = EVENTS[type].payload.safeParse(toPayloadJson(told));
    if (payload === undefined) {
      // What happened has happened, and so has what waits behind it.
      ctx.log.error({ type, err: error }, 'a message to webhooks is not as documented: left out');
      return [];
    }
    const listeners = endpoints.filter(({ events }) => isSubscribed(events, type));
    return [{ type, payload, endpoints: listeners.map(({ id }) => id) }];
  });
  await queueMessages(ctx, messages);
}

/** Whether anybody listens, for those who would have to open a transaction to tell. */
export const hasSubscribers = async (ctx: Context, type: EventType) =>
  (await findSubscribers(ctx, [type])).length > 0;

const FIND_SUBSCRIBERS = prepareStatement(`
  SELECT e.id, e.events FROM webhook_endpoints e
  WHERE e.disabled_at IS NULL AND e.events && $1::text[] AND ${isOwnerActiveSql('e', '$2::timestamptz')}`);

const findSubscribers = ({ pipelinedSql, now }: Context, types: EventType[]) =>
  pipelinedSql<{ id: string; events: string[] }>(FIND_SUBSCRIBERS, [
    types.flatMap(toSubscriptionNames),
    now(),
  ]);

const isSubscribed = (events: string[], type: EventType) =>
  toSubscriptionNames(type).some((name) => events.includes(name));

// One that is deleted at this moment must not break off what it would have been told of: hence the lock.
const INSERT_MESSAGES = prepareStatement(`
  WITH message AS (
    INSERT INTO webhook_messages (id, type, payload, created_at)
    SELECT given.id, given.type, given.payload, $2::timestamptz
    FROM jsonb_to_recordset($1::jsonb) AS given (id uuid, type text, payload jsonb)),
  delivery AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($3::jsonb) AS given (id uuid, endpoint_id uuid, message_id uuid)),
  listener AS (
    SELECT id FROM webhook_endpoints WHERE id IN (SELECT endpoint_id FROM delivery) FOR KEY SHARE)
  INSERT INTO webhook_deliveries (id, endpoint_id, message_id, next_attempt_at, created_at)
  SELECT delivery.id, listener.id, delivery.message_id, $2::timestamptz, $2::timestamptz
  FROM delivery JOIN listener ON listener.id = delivery.endpoint_id`);

export interface NewMessage {
  type: string;
  payload: object;
  /** Whom it is for. */
  endpoints: string[];
}

/** Writes messages down for their webhooks; what is for none is left out. Answers with the deliveries' ids. */
export async function queueMessages(ctx: Context, given: NewMessage[]): Promise<string[]> {
  const messages = given
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

/** The same in the words of the services: camelCase, and instants may be dates. */
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
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toPayloadJson(inner),
    ]),
  );
}
