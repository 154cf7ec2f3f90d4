import type { Ctx } from '../../../context.ts';
import type { Event } from '../../../db/generated/client.ts';
import type { ErrorReason } from '../../../error-reasons.ts';
import { DomainError } from '../../../errors.ts';
import { DAY_MS } from '../../../time.ts';
import { type Location, location, resource } from '../../spaces/service.ts';

const MOST_DAYS = 366;
const MOST_YEARS = 10;

/** Throws VALIDATION for what can be no event's time. */
export function checkTimes({ startsAt, endsAt }: Pick<Event, 'startsAt' | 'endsAt'>, now: Date) {
  if (endsAt <= startsAt)
    throw bad('ENDS_BEFORE_START', 'The event ends before it begins. Choose a later end.');
  if (+endsAt - +startsAt > MOST_DAYS * DAY_MS)
    throw bad('TOO_LONG', `An event lasts at most ${MOST_DAYS} days. Choose an earlier end.`);
  if (Math.abs(+startsAt - +now) > MOST_YEARS * 366 * DAY_MS)
    throw bad('TOO_FAR_AHEAD', `An event begins within ${MOST_YEARS} years. Choose another date.`);
}

/** Throws NOT_FOUND for the location or the room, VALIDATION for a room that is elsewhere. */
export async function checkPlace(
  ctx: Ctx,
  {
    locationId,
    resourceId,
  }: Pick<Event, 'locationId'> & { resourceId?: string | null | undefined },
): Promise<Location> {
  const place = await location(ctx, locationId);
  if (resourceId == null) return place;
  const room = await resource(ctx, resourceId);
  if (room.location.id === place.id) return place;
  throw bad(
    'RESOURCE_ELSEWHERE',
    `resourceId: ${room.name} is not at ${place.name}. Choose one that is there, or none.`,
  );
}

const bad = (reason: ErrorReason, message: string) =>
  new DomainError('VALIDATION', message, { reason });
