import { z } from 'zod';
import { parseClockTime } from '../../core/time/format.ts';
import type { TimeRange } from '../../core/time/time-range.ts';
import { MINUTE_MS } from '../../core/time/time-zone.ts';
import { anyId } from '../../core/validation.ts';
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

const timeOfDay = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time from 00:00 to 24:00 such as 09:30')
  .transform(parseClockTime);

export const openingHoursInput = z
  .object({
    weekday: z.literal([1, 2, 3, 4, 5, 6, 7]).meta({ description: 'The day of the week' }),
    opens: timeOfDay.meta({ description: 'HH:MM, such as 09:00' }),
    closes: timeOfDay.meta({ description: 'HH:MM. 24:00 is the end of the day.' }),
  })
  .meta({ description: 'One opening period on a weekday, in the time zone of the location' })
  .transform(({ weekday, opens, closes }) => ({
    weekday,
    opensMinute: opens,
    closesMinute: closes,
  }))
  .meta({ description: 'One opening period on a weekday, in the time zone of the location' });

/** The opening hours of a location, which closures compare with bookings. */
export const setOpeningHoursInput = z.object({
  locationId: anyId.meta({ description: 'The id of the location' }),
  hours: z
    .array(openingHoursInput)
    .max(100)
    .meta({ description: 'All periods of the week, in any order' }),
});
