import { z } from 'zod';

// What the wire's values look like, for the description of the API.

export const instant = z.iso.datetime().meta({ description: 'RFC 3339 in UTC with milliseconds' });
export const money = z.object({
  amount: z.int().meta({ description: 'Minor units, such as cents' }),
  currency: z.string().length(3).meta({ description: 'ISO 4217' }),
});
export const named = z.object({ id: z.uuid(), name: z.string() });
export const zonedLocation = named.extend({
  time_zone: z.string().meta({ description: 'IANA time zone' }),
});
