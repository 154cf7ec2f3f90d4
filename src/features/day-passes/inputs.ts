import { z } from 'zod';
import { anyId, calendarDate, moneyInput, uuid } from '../../core/validation.ts';
import { describeChanges, toChangeShape, toCreationShape } from '../../rows/inputs.ts';
import { dayPassTypeRow } from './rows.ts';

const date = calendarDate.optional().meta({ description: 'Default: today at each location' });

/** For REST, which lists types with their stock. */
export const dayPassOfferQuery = z.object({
  locationId: uuid.optional().meta({ description: 'Only types of this location' }),
  date,
});

const includeInactive = z
  .boolean()
  .optional()
  .meta({ description: 'Also list types that are no longer for sale. Needs day-passes:read.' });

export const dayPassTypeFilter = z.object({
  locationId: uuid.optional().meta({ description: 'Only types of this location' }),
  includeInactive,
});

export const locationDayPassTypesArgs = z.object({ includeInactive });

export const dayPassStockArgs = z.object({
  date: calendarDate
    .optional()
    .meta({ description: 'In the time zone of the location. Default: today there.' }),
});

const id = anyId.meta({ description: 'The id of the day pass type' });

export const createDayPassTypeInput = z.object({
  ...toCreationShape(dayPassTypeRow),
  price: moneyInput.meta({ description: 'The price of one pass' }),
});

export const dayPassTypeIdInput = z.object({ id });

const changes = toChangeShape(dayPassTypeRow);

export const updateDayPassTypeInput = z
  .object({
    id,
    ...changes,
    price: moneyInput.optional().meta({ description: 'The price of one pass, for new orders' }),
    dailyCapacity: changes.dailyCapacity.meta({
      description: 'Also for future dates. At least the number sold on each of them.',
    }),
  })
  .meta({ description: describeChanges(dayPassTypeRow) });
