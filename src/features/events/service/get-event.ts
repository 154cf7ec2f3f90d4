import type { Context } from '../../../context.ts';
import { isUuid } from '../../../core/ids.ts';
import type { PageRequest } from '../../../core/pagination.ts';
import { notFound, toDomainError } from '../../../errors.ts';
import { findRow, type JsonPage, readJsonPage } from '../../../lists/read-list.ts';
import type { CommunityEvent, ListedEvent } from '../types.ts';
import {
  type EventFilter,
  editableEventList,
  listedEventList,
  visibleEvents,
} from './list-events.ts';

/**
 * Lists events that are not over yet as JSON text with snake_case keys, for REST. Requests of strangers for the same page
 * share a statement, which begins after they arrive, so that each sees every change that was committed before it.
 */
export function listEventsAsJson(
  ctx: Context,
  filter: EventFilter,
  page: PageRequest,
): Promise<JsonPage> {
  const read = () => {
    const now = ctx.now();
    const from = filter.from && filter.from > now ? filter.from : now;
    return readJsonPage(ctx, listedEventList, { ...filter, from }, page, 'snake');
  };
  if (ctx.viewer.kind !== 'anonymous' || ctx.isInTransaction) return read();
  return ctx.queues.sharedReads(JSON.stringify(['events', filter, page]), read);
}

/** Gets an event by slug or id. @throws NOT_FOUND, also for an event that the viewer cannot see. */
export const getEvent = (ctx: Context, slugOrId: string): Promise<CommunityEvent> =>
  readEvent(ctx, visibleEvents, slugOrId);

/** Whether the viewer can open the page of an event, given by slug or id. */
export async function isEventVisible(ctx: Context, slugOrId: string): Promise<boolean> {
  try {
    await getEvent(ctx, slugOrId);
    return true;
  } catch (error) {
    if (toDomainError(error).code === 'NOT_FOUND') return false;
    throw error;
  }
}

/** Gets an event as REST lists it. @throws as `getEvent`. */
export const getListedEvent = (ctx: Context, slugOrId: string): Promise<ListedEvent> =>
  readEvent(ctx, { ...visibleEvents, toItem: listedEventList.toItem }, slugOrId);

/** Gets an event for editing. @throws NOT_FOUND. */
export const getEditableEvent = (ctx: Context, id: string): Promise<CommunityEvent> =>
  readEvent(ctx, editableEventList, id);

async function readEvent<T>(
  ctx: Context,
  rows: Parameters<typeof findRow>[1],
  slugOrId: string,
): Promise<T> {
  const event = await findRow<T>(ctx, rows, (row, bind) =>
    isUuid(slugOrId)
      ? `${row}.id = ${bind(slugOrId, 'uuid')}`
      : `${row}.slug = ${bind(slugOrId, 'text')}`,
  );
  if (event === null) throw notFound('event');
  return event;
}
