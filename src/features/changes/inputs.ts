import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import { CATALOG, CHANGE_TYPES } from '../../journal/catalog.ts';

const NOUNS = Object.keys(CATALOG) as (keyof typeof CATALOG)[];

/** Names such as `booking.created`, and `booking.*` for all of a noun. */
const typeName = z
  .string()
  .refine((name) => (CHANGE_TYPES as string[]).includes(name) || isAllOfNoun(name), {
    error: 'must be a type such as booking.created, or booking.* for all types of bookings',
  });

const isAllOfNoun = (name: string) => NOUNS.some((noun) => name === `${noun}.*`);

export const changeTypes = z.array(typeName).min(1).max(100).meta({
  description: 'Only these types, such as booking.created, or booking.* for all types of bookings',
});

const subjectIds = z
  .array(uuid)
  .min(1)
  .max(100)
  .meta({ description: 'Only changes of the objects with these ids' });

export const changeSubscriptionArgs = z.object({
  types: changeTypes.nullish(),
  subjectIds: subjectIds.nullish(),
  // A number, since an Int of GraphQL has 32 bits.
  after: z.number().multipleOf(1).min(0).max(Number.MAX_SAFE_INTEGER).nullish().meta({
    description:
      'Begins with the changes after this position, such as that of the last change that you received. By default, begins with new changes',
  }),
});

export const changeFilter = z
  .object({
    types: changeTypes.optional(),
    subjectIds: subjectIds.optional(),
    actorIds: z
      .array(uuid)
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Only changes by these staff accounts, members, API keys or displays' }),
    locationId: uuid.optional().meta({ description: 'Only changes at this location' }),
    from: z.date().optional().meta({ description: 'Only changes made at this time or later' }),
    to: z.date().optional().meta({ description: 'Only changes made before this time' }),
  })
  .meta({ description: 'Limits a list of changes; all conditions apply together' });
