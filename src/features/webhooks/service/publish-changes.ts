import { system } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import {
  canReceive,
  findSubscribers,
  queueMessages,
} from '../../../integrations/webhooks/queue-messages.ts';
import { CHANGE_TYPES, type ChangeType, toSubjectName } from '../../../journal/catalog.ts';
import { findSettingKey, toPublicChanges } from '../../../journal/public-changes.ts';
import { catchUp, type JournalReader, type RecordedChange } from '../../../journal/read-changes.ts';
import type { SubjectName } from '../../../journal/subjects.ts';
import { findMessageObject, type MessageObject } from '../../../objects/object-table.ts';

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
  const shown = await toPublicChanges(
    ctx,
    published.map(({ change }) => change),
  );
  const objects = await loadObjects(ctx, shown);
  await queueMessages(
    ctx,
    published.flatMap(({ endpoints }, index) => {
      const change = shown[index] as (typeof shown)[number];
      const payload = toPayload(ctx, change, objects);
      return payload ? [{ type: change.type, payload, endpoints }] : [];
    }),
  );
}

/** The objects by the subject of the change and their id, or their key for settings. */
type LoadedObjects = Map<SubjectName, Map<string, object>>;

const toObjectKey = (change: RecordedChange): string => change.subjectId ?? findSettingKey(change);

/** Loads each object once, as REST shows it. Messages never contain codes that admit people. */
async function loadObjects(ctx: Context, changes: RecordedChange[]): Promise<LoadedObjects> {
  const selected = new Map<SubjectName, { object: MessageObject; ids: Set<string> }>();
  for (const change of changes) {
    const shown = findMessageObject(change.type);
    if (shown === undefined) continue;
    const subject = toSubjectName(change.type);
    const { ids } = selected.get(subject) ?? { ids: new Set() };
    selected.set(subject, { object: shown.object, ids: ids.add(toObjectKey(change)) });
  }
  const objects: LoadedObjects = new Map();
  // One after the other: they share the connection of the transaction.
  for (const [subject, { object, ids }] of selected)
    objects.set(subject, await object.find(ctx, [...ids], { showsCodes: false }));
  return objects;
}

/** Builds the data of a message. */
function toPayload(
  ctx: Context,
  change: RecordedChange & { subjectKey: string },
  objects: LoadedObjects,
) {
  const { id, position, type, subjectId, locationId, at, isRedacted, before, after } = change;
  const shown = findMessageObject(type);
  const object = objects.get(toSubjectName(type))?.get(toObjectKey(change));
  const entry = {
    ...{ id, position, subject_type: toSubjectName(type), subject_id: subjectId },
    ...{
      subject_key: change.subjectKey,
      location_id: locationId,
      at,
      deleted: after === null,
      redacted: isRedacted,
    },
    ...{ before, after },
  };
  if (shown === undefined) return { change: entry };
  // Whatever reads the journal too late finds no object, for example one that was deleted meanwhile.
  if (object === undefined) {
    ctx.log.warn({ type, change: id }, 'message not sent; the object no longer exists');
    return undefined;
  }
  return { [shown.name]: object, change: entry };
}
