import { z } from 'zod';
import { anyId, ignoreNull, orDefault, singleLine } from '../../core/validation.ts';

export const announceClosureInput = z.object({
  id: anyId.meta({ description: 'The id of the closure' }),
  message: ignoreNull(singleLine(500)).meta({
    description:
      'What the emails say besides the days and the reason of the closure. It needs mailings:write. Default: the message of the last announcement, if any',
  }),
  cancelBookings: orDefault(z.boolean(), false).meta({
    description:
      'Cancel the bookings without a fee, and return the included hours. Default: false, which keeps them.',
  }),
});
