import { z } from 'zod';
import { anyId, boundedText, calendarDate, moneyInput, singleLine } from '../../core/validation.ts';
import { orderLimitFields } from '../order-limits/types.ts';

const date = calendarDate.optional().meta({ description: 'Default: today at each location' });

/** For REST, which lists types with their stock. */
export const dayPassOfferQuery = z.object({ locationId: z.uuid().optional(), date });

const includeInactive = z
  .boolean()
  .optional()
  .meta({ description: 'Also list types that are no longer for sale. Needs day-passes:read.' });

export const dayPassTypeFilter = z.object({
  locationId: z.uuid().optional().meta({ description: 'Only types of this location' }),
  includeInactive,
});

export const locationDayPassTypesArgs = z.object({ includeInactive });

export const dayPassStockArgs = z.object({
  date: calendarDate
    .optional()
    .meta({ description: 'In the time zone of the location. Default: today there.' }),
});

const id = anyId.meta({ description: 'The id of the day pass type' });
const name = singleLine(200).meta({ description: 'What buyers see, such as "Day pass"' });
const description = boundedText(5000).meta({ description: 'What the pass includes' });
const dailyCapacity = z.int().min(0).max(1_000_000);
const daysAhead = z.int().min(0).max(1000);

/** Renames a field to the name of the service. */
const toDetails = <T extends { daysAhead?: number | undefined }>({ daysAhead, ...input }: T) => ({
  ...input,
  daysAhead: daysAhead,
});

export const createDayPassTypeInput = z
  .object({
    locationId: z.uuid().meta({ description: 'The location that the passes admit to' }),
    name,
    description: description.optional(),
    price: moneyInput.meta({ description: 'The price of one pass' }),
    dailyCapacity: dailyCapacity
      .optional()
      .meta({ description: 'The number of passes for each day. Default: unlimited.' }),
    daysAhead: daysAhead
      .optional()
      .meta({ description: 'How many days in advance passes are sold. Default: 60.' }),
    ...orderLimitFields,
  })
  .transform(toDetails);

export const dayPassTypeIdInput = z.object({ id });

export const updateDayPassTypeInput = z
  .object({
    id,
    name: name.optional(),
    description: description.nullish(),
    price: moneyInput.optional().meta({ description: 'The price of one pass, for new orders' }),
    dailyCapacity: dailyCapacity.nullish().meta({
      description: 'Also for future dates. At least the number sold on each of them.',
    }),
    daysAhead: daysAhead
      .optional()
      .meta({ description: 'How many days in advance passes are sold' }),
    ...orderLimitFields,
    active: z.boolean().optional().meta({ description: 'Whether it is for sale' }),
  })
  .meta({
    description:
      'Omitted fields stay as they are. Null clears the description, removes the daily limit and resets order limits to their defaults.',
  })
  .transform(toDetails);
