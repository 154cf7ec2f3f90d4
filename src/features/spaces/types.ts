import type { TimeRange } from '../../core/time/time-range.ts';
import { MINUTE_MS } from '../../core/time/time-zone.ts';
import { type Projection, projectMoney, projectRow } from '../../db/json-projection.ts';
import { projectFields } from '../../rows/projection.ts';
import { locationRow, MAX_BUFFER_MINUTES, resourceRow } from './rows.ts';

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
  ...projectFields(resourceRow, row),
  location: projectRow('locations', `${row}.location_id`, toLocationProjection),
  pricePerHour: projectMoney(`${row}.hourly_amount`, `${row}.currency`),
});
