import type { z } from 'zod';
import { system } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { toSnakeCase } from '../../../core/snake-case.ts';
import {
  canReceive,
  findSubscribers,
  queueMessages,
} from '../../../integrations/webhooks/queue-messages.ts';
import {
  CHANGE_TYPES,
  type ChangeType,
  type OBJECT_SCHEMAS,
  type ObjectName,
  PAYLOAD_SCHEMAS,
  toObjectName,
} from '../../../journal/catalog.ts';
import { catchUp, type JournalReader, type RecordedChange } from '../../../journal/read-changes.ts';
import { bookingList } from '../../bookings/service/list-bookings.ts';
import { attemptList } from '../../check-ins/service/list-attempts.ts';
import { displayList } from '../../displays/service/list-displays.ts';
import { eventList } from '../../events/service/list-events.ts';
import { memberList } from '../../members/service/list-members.ts';
import { findOrdersByIds } from '../../orders/service/find-orders.ts';
import { dayPassList, ticketList } from '../../orders/service/list-admissions.ts';
import { type Order, toItemTypes } from '../../orders/types.ts';
import { refundList } from '../../payments/service/list-payments.ts';

/** Queues a message for each webhook that subscribes to a change. Webhooks do not receive changes of their own. */
export const webhookReader: JournalReader = {
  name: 'webhooks',
  findTypes: findSubscribedTypes,
  handle: publishChanges,
};

/** Queues messages for everything that was recorded before. Call it before webhooks are added or changed. */
export const publishRecordedChanges = (ctx: Context): Promise<void> =>
  catchUp({ ...ctx, viewer: system }, webhookReader);

async function findSubscribedTypes(ctx: Context): Promise<ChangeType[]> {
  const subscribers = await findSubscribers(ctx, [...CHANGE_TYPES]);
  return CHANGE_TYPES.filter((type) => subscribers.some((one) => canReceive(one, type)));
}

async function publishChanges(ctx: Context, changes: RecordedChange[]): Promise<void> {
  const subscribers = await findSubscribers(ctx, [...new Set(changes.map(({ type }) => type))]);
  const published = changes
    .map((change) => ({
      change,
      endpoints: subscribers
        .filter((one) => one.id !== change.subjectId && canReceive(one, change.type))
        .map(({ id }) => id),
    }))
    .filter(({ endpoints }) => endpoints.length > 0);
  if (published.length === 0) return;
  const objects = await loadObjects(
    ctx,
    published.map(({ change }) => change),
  );
  await queueMessages(
    ctx,
    published.flatMap(({ change, endpoints }) => {
      const payload = toPayload(ctx, change, objects);
      return payload ? [{ type: change.type, payload, endpoints }] : [];
    }),
  );
}

/** The objects by what they are and their id. */
type LoadedObjects = Map<ObjectName, Map<string, object>>;

/** Loads each object once. */
async function loadObjects(ctx: Context, changes: RecordedChange[]): Promise<LoadedObjects> {
  const ids = new Map<ObjectName, Set<string>>();
  for (const { type, subjectId } of changes) {
    const name = toObjectName(type);
    if (name === undefined || subjectId === null) continue;
    ids.set(name, (ids.get(name) ?? new Set()).add(subjectId));
  }
  const objects: LoadedObjects = new Map();
  // One after the other: they share the connection of the transaction.
  for (const [name, selected] of ids) objects.set(name, await LOADERS[name](ctx, [...selected]));
  return objects;
}

type Loaders = {
  [Name in ObjectName]: (ctx: Context, ids: string[]) => Promise<Map<string, PayloadObject<Name>>>;
};

/** The fields of a message that come from the object and not from the change. */
type PayloadObject<Name extends ObjectName> = Omit<
  CamelCased<z.output<(typeof OBJECT_SCHEMAS)[Name]>>,
  'at' | 'was'
>;

const LOADERS: Loaders = {
  booking: async (ctx, ids) =>
    byId(await bookingList.findByIds(ctx, ids), (booking) => ({ booking })),
  check_in: async (ctx, ids) =>
    byId(await attemptList.findByIds(ctx, ids), (attempt) => ({
      checkIn: { ...attempt, checkedInAt: attempt.at },
    })),
  day_pass: async (ctx, ids) =>
    byId(await dayPassList.findByIds(ctx, ids), (dayPass) => ({ dayPass })),
  display: async (ctx, ids) =>
    byId(await displayList.findByIds(ctx, ids), (display) => ({ display })),
  event: async (ctx, ids) => byId(await eventList.findByIds(ctx, ids), (event) => ({ event })),
  member: async (ctx, ids) => byId(await memberList.findByIds(ctx, ids), (member) => ({ member })),
  order: async (ctx, ids) =>
    byId(await findOrdersByIds(ctx, ids), (order) => ({ order: toOrderPayload(order) })),
  refund: async (ctx, ids) => {
    const refunds = await refundList.findByIds(ctx, ids);
    // A payment of a booking that is returned has no order.
    const orderIds = [...new Set(refunds.flatMap(({ orderId }) => orderId ?? []))];
    const orders = byId(await findOrdersByIds(ctx, orderIds), toOrderPayload);
    return new Map(
      refunds.flatMap((refund) => {
        const order = orders.get(refund.orderId ?? '');
        return order ? [[refund.id, { refund, order }]] : [];
      }),
    );
  },
  ticket: async (ctx, ids) => byId(await ticketList.findByIds(ctx, ids), (ticket) => ({ ticket })),
};

const byId = <Row extends { id: string }, Value>(rows: Row[], toValue: (row: Row) => Value) =>
  new Map(rows.map((row) => [row.id, toValue(row)]));

/** Names fields as in the REST API. */
const toOrderPayload = ({ refunded, items, ...order }: Order) => ({
  ...order,
  items: items.map((item) => ({ ...item, ...toItemTypes(item) })),
  refundedAmount: refunded,
});

/** Builds the data of a message. Parsing drops fields that are not part of it. */
function toPayload(ctx: Context, recorded: RecordedChange, objects: LoadedObjects) {
  const { type, subjectId, locationId, ...entry } = recorded;
  const name = toObjectName(type);
  const object = name && objects.get(name)?.get(subjectId ?? '');
  // Whatever reads the journal too late finds no object, for example one that was purged meanwhile.
  if (name && object === undefined) {
    ctx.log.warn({ type, change: entry.id }, 'message not sent; the object no longer exists');
    return undefined;
  }
  const { success, data, error } = PAYLOAD_SCHEMAS[type].safeParse({
    ...(toPayloadJson({ ...toObjectFields(type, object), ...toChangeFields(recorded) }) as object),
    change: { ...entry, subject_id: subjectId, location_id: locationId },
  });
  // A bug in one payload must not delay other messages.
  if (!success) ctx.log.error({ type, err: error }, 'message not sent; it violates its schema');
  return data;
}

const END_OF_VISIT_TYPES: ChangeType[] = ['check_in.checked_out', 'check_in.unconfirmed_ended'];

/** A visit keeps the result of the check-in; the message about its end says that the guest checked out. */
const toObjectFields = (type: ChangeType, object: object | undefined) =>
  END_OF_VISIT_TYPES.includes(type) && object && 'checkIn' in object
    ? { checkIn: { ...(object.checkIn as object), result: 'checked_out' } }
    : object;

/** The fields of a message that come from the change and not from the object. */
const toChangeFields = ({ at, before }: RecordedChange) => ({ at, was: before?.status ?? null });

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
