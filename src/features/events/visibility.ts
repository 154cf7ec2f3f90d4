import type { Scope } from '../../auth/scopes.ts';
import { canSeeAll, type Viewer } from '../../auth/viewer.ts';
import type { EventStatus, EventVisibility } from './types.ts';

// Who sees an event, as conditions over the rows of `events` and as a predicate. A test compares the two.
// Staff and tokens with the scope see every event. Everybody else sees published events: the public those for the
// public, members those for members too. A link to one event also shows it after it was published and then cancelled,
// because ticket holders look it up.

/** The conditions for lists of events. */
export function toVisibleConditions(viewer: Viewer, scope: Scope = 'events:read'): string[] {
  if (canSeeAll(viewer, scope)) return [];
  return [`status = 'published'`, ...toAudienceConditions(viewer)];
}

/** The conditions for one event that the caller names. The same rule as `canSeeEvent`. */
export function toEverPublishedConditions(viewer: Viewer): string[] {
  if (canSeeAllEvents(viewer)) return [];
  const everPublished = `(status = 'published' OR status = 'cancelled' AND published_at IS NOT NULL)`;
  return [everPublished, ...toAudienceConditions(viewer)];
}

const toAudienceConditions = (viewer: Viewer) =>
  viewer.kind === 'member' ? [] : [`visibility = 'public'`];

/** Whether the viewer sees an event that they name. The same rule as `toEverPublishedConditions`. */
export function canSeeEvent(
  viewer: Viewer,
  event: { status: EventStatus; visibility: EventVisibility; wasPublished: boolean },
): boolean {
  if (canSeeAllEvents(viewer)) return true;
  if (event.visibility === 'members' && viewer.kind !== 'member') return false;
  return event.status === 'published' || (event.status === 'cancelled' && event.wasPublished);
}

/** Whether the viewer sees drafts, sold counts and ticket types that are not offered. */
export const canSeeAllEvents = (viewer: Viewer) => canSeeAll(viewer, 'events:read');
