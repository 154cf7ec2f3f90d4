import { system } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import {
  canReceive,
  findSubscribers,
  queueMessages,
} from '../../../integrations/webhooks/queue-messages.ts';
import { CHANGE_TYPES, type ChangeType, toSubjectName } from '../../../journal/catalog.ts';
import { toPublicChanges } from '../../../journal/public-changes.ts';
import { catchUp, type JournalReader, type RecordedChange } from '../../../journal/read-changes.ts';
import type { SubjectName } from '../../../journal/subjects.ts';
import { findMessageObject, isObjectName, OBJECTS } from '../../../objects/object-table.ts';

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
      const change = shown[index] as RecordedChange;
      const payload = toPayload(ctx, change, objects);
      return payload ? [{ type: change.type, payload, endpoints }] : [];
    }),
  );
}

/** The objects by the subject of the change and their id. */
type LoadedObjects = Map<SubjectName, Map<string, object>>;

/** Loads each object once, as REST shows it. Messages never contain codes that admit people. */
async function loadObjects(ctx: Context, changes: RecordedChange[]): Promise<LoadedObjects> {
  const ids = new Map<SubjectName, Set<string>>();
  for (const { type, subjectId } of changes) {
    if (findMessageObject(type) === undefined || subjectId === null) continue;
    const subject = toSubjectName(type);
    ids.set(subject, (ids.get(subject) ?? new Set()).add(subjectId));
  }
  const objects: LoadedObjects = new Map();
  // One after the other: they share the connection of the transaction.
  for (const [subject, selected] of ids) {
    if (!isObjectName(subject)) continue;
    objects.set(subject, await OBJECTS[subject].find(ctx, [...selected], { showsCodes: false }));
  }
  return objects;
}

/** Builds the data of a message. */
function toPayload(ctx: Context, change: RecordedChange, objects: LoadedObjects) {
  const { id, position, type, subjectId, locationId, at, isRedacted, before, after } = change;
  const shown = findMessageObject(type);
  const object = objects.get(toSubjectName(type))?.get(subjectId ?? '');
  const entry = {
    ...{ id, position, subject_type: toSubjectName(type), subject_id: subjectId },
    ...{ location_id: locationId, at, deleted: after === null, redacted: isRedacted },
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
