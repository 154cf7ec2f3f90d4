import { z } from 'zod';
import { singleLine } from '../../../core/validation.ts';

export const memberLookupArgs = z.object({
  // In lower case, because rate limits count by it.
  locationId: z.uuid().toLowerCase().meta({ description: 'The location of the kiosk' }),
  query: singleLine(200).meta({ description: 'What the person typed' }),
});
