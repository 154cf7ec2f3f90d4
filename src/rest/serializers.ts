import { z } from 'zod';
import { uuid } from '../core/validation.ts';

export { toSnakeCaseKeys } from '../core/snake-case.ts';

// Schemas of values in the REST API.

export const instantSchema = z.iso
  .datetime()
  .meta({ description: 'RFC 3339 in UTC with milliseconds' });
export const moneySchema = z.object({
  amount: z.int().meta({ description: 'Minor units, such as cents' }),
  currency: z.string().length(3).meta({ description: 'ISO 4217' }),
});
export const namedSchema = z.object({ id: uuid, name: z.string() });
export const zonedLocationSchema = namedSchema.extend({
  time_zone: z.string().meta({ description: 'IANA time zone' }),
});
