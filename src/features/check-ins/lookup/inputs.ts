import { z } from 'zod';
import { singleLine, uuid } from '../../../core/validation.ts';

export const memberLookupArgs = z.object({
  // In lower case, because rate limits count by it.
  locationId: uuid.toLowerCase().meta({ description: 'The location of the kiosk' }),
  query: singleLine(200).meta({ description: 'What the person typed' }),
});
