import { z } from 'zod';
import { uuid } from '../core/validation.ts';

// Schemas of values in the REST API. Those with an id are named schemas of the OpenAPI document.

export const instantSchema = z.iso
  .datetime()
  .meta({ description: 'RFC 3339 in UTC with milliseconds' });
export const moneySchema = z
  .object({
    amount: z.int().meta({ description: 'Minor units, such as cents' }),
    currency: z
      .string()
      .length(3)
      .meta({ description: 'ISO 4217', examples: ['EUR'] }),
  })
  .meta({ id: 'Money', description: 'An amount of money' });
export const timeZoneSchema = z
  .string()
  .meta({ description: 'IANA time zone', examples: ['Europe/Berlin'] });
export const namedSchema = z.object({
  id: uuid.meta({ description: 'Identifies it in both APIs' }),
  name: z.string().meta({ description: 'The name that people see' }),
});
export const zonedLocationSchema = namedSchema
  .extend({ time_zone: timeZoneSchema })
  .meta({ id: 'LocationRef', description: 'A location' });
export const resourceRefSchema = namedSchema.meta({
  id: 'ResourceRef',
  description: 'A room, a desk or equipment',
});
export const memberRefSchema = namedSchema.meta({ id: 'MemberRef', description: 'A member' });
/** Where an event is. Its time zone is a field of the event. */
export const eventLocationSchema = namedSchema
  .extend({
    address: z.string().nullable().meta({ description: 'The postal address; null if unknown' }),
  })
  .meta({ id: 'EventLocation', description: 'The location of an event' });
/** A person who has an email address, unless staff left it out or it was erased. */
export const personSchema = z
  .object({
    name: z.string().meta({ description: 'The full name' }),
    email: z.string().nullable().meta({ description: 'The email address; null if there is none' }),
  })
  .meta({ id: 'Person', description: 'A person who need not be a member' });
