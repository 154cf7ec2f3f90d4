import type { Context } from '../../../context.ts';
import { type ChangeFeed, createChangeFeed, type FeedOptions } from '../../../core/change-feed.ts';
import type { DisplayStatusChange } from '../../../db/generated/client.ts';
import { DisplayStatus } from '../../../db/generated/enums.ts';
import { type Projection, projectInstant, projectUnescaped } from '../../../db/json-projection.ts';
import { type Bind, prepareStatement } from '../../../db/prepared-statement.ts';
import { createPoll, MAX_POLLED } from '../../../journal/poll-changes.ts';
import { getLocation } from '../../spaces/service/locations.ts';
import { DISPLAY_QUERY, type Display, toDisplay, toDisplayProjection } from './display.ts';

export type StatusChange = Pick<DisplayStatusChange, 'id' | 'previousStatus' | 'status' | 'at'>;

/** Projects a change of status. */
export const toStatusChangeProjection = (row: string) =>
  ({
    id: projectUnescaped(`${row}.id`),
    previousStatus: projectUnescaped(`${row}.previous_status`),
    status: projectUnescaped(`${row}.status`),
    at: projectUnescaped(projectInstant(`${row}.at`)),
  }) satisfies Projection & Record<keyof StatusChange, unknown>;

// Reads the latest changes of each display, so that an unstable display does not displace the others.
const LATEST_STATUS_CHANGES = prepareStatement(`
  SELECT change.* FROM unnest($1::uuid[]) display (id) CROSS JOIN LATERAL (
    SELECT id, display_id AS "displayId", previous_status AS "previousStatus", status, at, recorded_at AS "recordedAt" FROM display_status_changes
    WHERE display_id = display.id ORDER BY at DESC, recorded_at DESC, id DESC LIMIT $2::int) change
  ORDER BY change.at DESC, change."recordedAt" DESC, change.id DESC`);

/** Finds the latest `last` status changes of each display, newest first, by display id. */
export async function findStatusChanges(
  { pipelinedSql }: Context,
  ids: string[],
  last: number,
): Promise<Map<string, StatusChange[]>> {
  const changesById = new Map<string, StatusChange[]>(ids.map((id) => [id, []]));
  const rows = await pipelinedSql<StatusChange & { displayId: string }>(LATEST_STATUS_CHANGES, [
    ids,
    last,
  ]);
  for (const { displayId, ...change } of rows) changesById.get(displayId)?.push(change);
  return changesById;
}

/** A change of a display's status, with the display. */
export interface DisplayStatusEvent {
  display: Display;
  previousStatus: DisplayStatus;
  status: DisplayStatus;
  at: Date;
}

/** Selects the display of an event, with what has changed. No row if the display was deleted. */
export const selectStatusEvent = (
  { display, previousStatus, status, at }: DisplayStatusEvent,
  { bind }: { bind: Bind },
) => `(SELECT displays.*, ${bind(previousStatus, 'text')} AS previous_status, ${bind(status, 'text')} AS status,
    ${bind(at, 'timestamptz')} AS at FROM displays WHERE displays.id = ${bind(display.id, 'uuid')})`;

/** Projects a row of `selectStatusEvent`. */
export const toStatusEventProjection = (row: string) => {
  const { previousStatus, status, at } = toStatusChangeProjection(row);
  const display = toDisplayProjection(row);
  return { display, previousStatus, status, at } satisfies Projection &
    Record<keyof DisplayStatusEvent, unknown>;
};

/**
 * Yields new status changes of the displays of one location, or of all, on any instance.
 * @throws NOT_FOUND for the location.
 */
export async function* watchDisplayStatus(
  ctx: Context,
  feed: ChangeFeed<DisplayStatusEvent>,
  locationId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<DisplayStatusEvent[], void, void> {
  const onlyId = locationId === undefined ? undefined : (await getLocation(ctx, locationId)).id;
  for await (const events of feed.listen(signal)) {
    yield events.filter(({ display }) => onlyId === undefined || display.location.id === onlyId);
  }
}

/** Creates the feed that all subscribers of a process share. */
export const createDisplayStatusFeed = (
  ctx: Context,
  options?: FeedOptions,
): ChangeFeed<DisplayStatusEvent> =>
  createChangeFeed(() => {
    const poll = createPoll<RecordedStatus>(ctx, READ_STATUS_CHANGES);
    return async () => toStatusEvents(ctx, await poll());
  }, options);

interface RecordedStatus {
  position: number;
  displayId: string;
  previousStatus: DisplayStatus;
  status: DisplayStatus;
  at: Date;
}

const READ_STATUS_CHANGES = prepareStatement(`
  SELECT position::float8 AS position, subject_id AS "displayId", before ->> 'status' AS "previousStatus",
    after ->> 'status' AS status, at
  FROM changes WHERE position > $1::bigint AND position <= $2::bigint
    AND type IN (${Object.values(DisplayStatus)
      .map((status) => `'display.${status}'`)
      .join(', ')})
  ORDER BY position LIMIT ${MAX_POLLED}`);

const MAX_BATCH_SIZE = 1_000;

async function toStatusEvents(
  ctx: Context,
  changes: RecordedStatus[],
): Promise<DisplayStatusEvent[]> {
  const events: DisplayStatusEvent[] = [];
  for (let from = 0; from < changes.length; from += MAX_BATCH_SIZE) {
    const batch = changes.slice(from, from + MAX_BATCH_SIZE);
    const ids = batch.map(({ displayId }) => displayId);
    const rows = await ctx.db.display.findMany({ ...DISPLAY_QUERY, where: { id: { in: ids } } });
    const displays = new Map(rows.map((row) => [row.id, toDisplay(row, ctx.now())]));
    for (const { displayId, previousStatus, status, at } of batch) {
      const display = displays.get(displayId);
      if (display) events.push({ display, previousStatus, status, at });
    }
  }
  return events;
}
