import { v7 } from 'uuid';
import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { statement } from '../../db/sql.ts';
import { EVENTS, type EventType, namesOf } from './events.ts';
import { isOwnerActive } from './ownership.ts';

interface NewsOf<Type extends EventType> {
  type: Type;
  payload: Domain<PayloadOf<Type>>;
}

/** Something that happened, in the words of the services. */
export type News = { [Type in EventType]: NewsOf<Type> }[EventType];

/**
 * Tells webhooks what happened, in the caller's transaction: it leaves when that is done, or never was. Where nobody
 * listens this is one look at a small table, and `payloads` is not asked. Calls nobody.
 */
export const emit = <Type extends EventType>(
  ctx: Ctx,
  type: Type,
  payloads: () => NewsOf<Type>['payload'][] | Promise<NewsOf<Type>['payload'][]>,
): Promise<void> =>
  emitAll(ctx, [type], async () => (await payloads()).map((payload) => ({ type, payload })));

/** The same where various things happened, in their order; `types` are all that may be among them. */
export async function emitAll(
  ctx: Ctx,
  types: EventType[],
  news: () => NewsOf<EventType>[] | Promise<NewsOf<EventType>[]>,
): Promise<void> {
  const endpoints = await listening(ctx, types);
  if (endpoints.length === 0) return;
  const messages = (await news()).flatMap(({ type, payload: told }) => {
    // Parsing leaves out what the services know besides.
    const { data: payload, error } = EVENTS[type].payload.safeParse(onTheWire(told));
    if (payload === undefined) {
      // What happened has happened, and so has what waits behind it.
      ctx.log.error({ type, err: error }, 'a message to webhooks is not as documented: left out');
      return [];
    }
    const listeners = endpoints.filter(({ events }) => listensTo(events, type));
    return [{ type, payload, endpoints: listeners.map(({ id }) => id) }];
  });
  await send(ctx, messages);
}

/** Whether anybody listens, for those who would have to open a transaction to tell. */
export const isAwaited = async (ctx: Ctx, type: EventType) =>
  (await listening(ctx, [type])).length > 0;

const LISTENING = statement(`
  SELECT e.id, e.events FROM webhook_endpoints e
  WHERE e.disabled_at IS NULL AND e.events && $1::text[] AND ${isOwnerActive('e', '$2::timestamptz')}`);

const listening = ({ sql, now }: Ctx, types: EventType[]) =>
  sql<{ id: string; events: string[] }>(LISTENING, [types.flatMap(namesOf), now()]);

const listensTo = (events: string[], type: EventType) =>
  namesOf(type).some((name) => events.includes(name));

// One that is deleted at this moment must not break off what it would have been told of: hence the lock.
const SEND = statement(`
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

export interface Message {
  type: string;
  payload: object;
  /** Whom it is for. */
  endpoints: string[];
}

/** Writes messages down for their webhooks; what is for none is left out. Answers with the deliveries' ids. */
export async function send(ctx: Ctx, given: Message[]): Promise<string[]> {
  const messages = given
    .filter(({ endpoints }) => endpoints.length > 0)
    .map((message) => ({ id: v7(), ...message }));
  if (messages.length === 0) return [];
  const deliveries = messages.flatMap(({ id: message_id, endpoints }) =>
    endpoints.map((endpoint_id) => ({ id: v7(), endpoint_id, message_id })),
  );
  await ctx.write(SEND, [JSON.stringify(messages), ctx.now(), JSON.stringify(deliveries)]);
  await ctx.wake?.(ctx, 'webhooks.deliver');
  return deliveries.map(({ id }) => id);
}

type PayloadOf<Type extends EventType> = z.output<(typeof EVENTS)[Type]['payload']>;

/** The same in the words of the services: camelCase, and instants may be dates. */
type Domain<T> = T extends readonly (infer Item)[]
  ? Domain<Item>[]
  : T extends object
    ? { [Key in keyof T as Camel<Key & string>]: Domain<T[Key]> }
    : string extends T
      ? T | Date
      : T;

type Camel<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Key;

function onTheWire(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(onTheWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      onTheWire(inner),
    ]),
  );
}
