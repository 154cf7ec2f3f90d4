import { v7 } from 'uuid';
import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { statement } from '../../db/sql.ts';
import { EVENTS, type EventType, namesOf } from './events.ts';

/**
 * Tells webhooks what happened, in the caller's transaction: it leaves when that is done, or never was. Where nobody
 * listens this is one look at a small table, and `payloads` is not asked. Calls nobody.
 */
export async function emit<Type extends EventType>(
  ctx: Ctx,
  type: Type,
  payloads: () => Domain<PayloadOf<Type>>[] | Promise<Domain<PayloadOf<Type>>[]>,
): Promise<void> {
  const endpoints = await listening(ctx, type);
  if (endpoints.length === 0) return;
  const { payload } = EVENTS[type];
  // Parsing leaves out what the services know besides.
  const told = (await payloads()).map((one) => payload.parse(onTheWire(one)));
  await send(ctx, endpoints, type, told);
}

/** Whether anybody listens, for those who would have to open a transaction to tell. */
export const isAwaited = async (ctx: Ctx, type: EventType) =>
  (await listening(ctx, type)).length > 0;

const LISTENING = statement(
  'SELECT id FROM webhook_endpoints WHERE disabled_at IS NULL AND events && $1::text[]',
);

async function listening({ sql }: Ctx, type: EventType): Promise<string[]> {
  const rows = await sql<{ id: string }>(LISTENING, [namesOf(type)]);
  return rows.map(({ id }) => id);
}

// One that is deleted at this moment must not break off what it would have been told of: hence the lock.
const SEND = statement(`
  WITH message AS (
    INSERT INTO webhook_messages (id, type, payload, created_at)
    SELECT given.id, $1, given.payload, $3::timestamptz
    FROM jsonb_to_recordset($2::jsonb) AS given (id uuid, payload jsonb)),
  listener AS (SELECT id FROM webhook_endpoints WHERE id = ANY ($5::uuid[]) FOR KEY SHARE)
  INSERT INTO webhook_deliveries (id, endpoint_id, message_id, due_at, created_at)
  SELECT given.id, listener.id, given.message_id, $3::timestamptz, $3::timestamptz
  FROM jsonb_to_recordset($4::jsonb) AS given (id uuid, endpoint_id uuid, message_id uuid)
  JOIN listener ON listener.id = given.endpoint_id`);

/** Writes these messages down for these webhooks. Answers with the deliveries' ids. */
export async function send(
  ctx: Ctx,
  endpoints: string[],
  type: string,
  payloads: object[],
): Promise<string[]> {
  const messages = payloads.map((payload) => ({ id: v7(), payload }));
  const deliveries = messages.flatMap(({ id: messageId }) =>
    endpoints.map((endpointId) => ({ id: v7(), endpoint_id: endpointId, message_id: messageId })),
  );
  await ctx.write(SEND, [
    type,
    JSON.stringify(messages),
    ctx.now(),
    JSON.stringify(deliveries),
    endpoints,
  ]);
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
