import { z } from 'zod';
import { anyId, calendarDate, moneyInput, uuid } from '../../core/validation.ts';
import { describeChanges, toChangeShape, toCreationShape } from '../../rows/inputs.ts';
import { dailyClosingRow } from './rows.ts';

const locationId = anyId.meta({ description: 'The location where it was paid' });

export const takingsArgs = z.object({
  locationId,
  from: calendarDate.meta({ description: 'The first day, in the time zone of the location' }),
  to: calendarDate.meta({ description: 'The last day; at most 366 days with the first' }),
});

export const cashDayArgs = z.object({
  locationId,
  day: calendarDate.meta({ description: 'In the time zone of the location' }),
});

export const dailyClosingFilter = z
  .object({
    locationId: uuid.optional().meta({ description: 'Only closings of this location' }),
    from: calendarDate.optional().meta({ description: 'Only closings of this day or later' }),
    to: calendarDate.optional().meta({ description: 'Only closings of this day or earlier' }),
  })
  .meta({ description: 'Limits a list of daily closings' });

const opening = moneyInput.meta({ description: 'The cash at the start of the day' });
const counted = moneyInput.meta({ description: 'The cash at the end of the day, as counted' });

export const closeDayInput = cashDayArgs.extend({
  opening,
  counted,
  ...toCreationShape(dailyClosingRow),
});

export const correctDailyClosingInput = z
  .object({
    id: anyId.meta({ description: 'The id of the closing' }),
    opening: opening.optional(),
    counted: counted.optional(),
    ...toChangeShape(dailyClosingRow),
  })
  .meta({ description: describeChanges(dailyClosingRow) });
