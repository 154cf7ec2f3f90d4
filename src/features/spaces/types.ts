import type { TimeRange } from '../../core/time/time-range.ts';
import { DAY_MINUTES, MINUTE_MS } from '../../core/time/time-zone.ts';
import type { LookupAccess } from '../../db/generated/client.ts';
import {
  type Projection,
  projectInstant,
  projectMoney,
  projectRow,
} from '../../db/json-projection.ts';
import { projectFields } from '../../rows/projection.ts';
import { locationRow } from './rows.ts';

export { LOOKUP_ACCESS, toLookupAccess } from './rows.ts';
export type { LookupAccess };

/** The longest time that can stay free after a booking. A CHECK on `resources` has the same limit. */
export const MAX_BUFFER_MINUTES = DAY_MINUTES;
export const MAX_BUFFER_MS = MAX_BUFFER_MINUTES * MINUTE_MS;

/** Returns the time that a booking or event blocks: its own and the buffer after it. */
export const toOccupiedRange = (
  { bufferMinutes }: { bufferMinutes: number },
  { start, end }: TimeRange,
): TimeRange => ({ start, end: end + bufferMinutes * MINUTE_MS });

/** Projects a location. */
export const toLocationProjection = (row: string): Projection => projectFields(locationRow, row);

/** Projects a resource and its location. */
export const toResourceProjection = (row: string): Projection => ({
  id: `${row}.id`,
  slug: `${row}.slug`,
  name: `${row}.name`,
  type: `${row}.type`,
  capacity: `${row}.capacity`,
  location: projectRow('locations', `${row}.location_id`, toLocationProjection),
  pricePerHour: projectMoney(`${row}.hourly_amount`, `${row}.currency`),
  minMinutes: `${row}.min_minutes`,
  maxMinutes: `${row}.max_minutes`,
  slotIntervalMinutes: `${row}.slot_interval_minutes`,
  bufferMinutes: `${row}.buffer_minutes`,
  minNoticeMinutes: `${row}.min_notice_minutes`,
  maxAdvanceDays: `${row}.max_advance_days`,
  freeCancellationHours: `${row}.free_cancellation_hours`,
  noShowMinutes: `${row}.no_show_minutes`,
  requiresApproval: `${row}.requires_approval`,
  amenities: `${row}.amenities`,
  active: `${row}.active`,
  createdAt: projectInstant(`${row}.created_at`),
});
