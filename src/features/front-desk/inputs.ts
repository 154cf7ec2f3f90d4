import { z } from 'zod';
import { calendarDate, emailAddress, personName, uuid } from '../../core/validation.ts';
import { describeStaffMethod, staffMethod } from '../payments/rows.ts';

const saleInput = z.object({
  name: personName.meta({ description: 'The name of the person, on one line' }),
  email: emailAddress
    .transform((address) => address.toLowerCase())
    .nullish()
    .meta({ description: 'Gets the confirmation; null or omitted: nobody gets an email' }),
  method: staffMethod
    .default('cash')
    .meta(describeStaffMethod('How the person paid, which is not used for what is free')),
  checkIn: z.boolean().default(true).meta({
    description: 'Whether to check the person in at once, which needs check-ins:write too',
  }),
});

export const sellDayPassInput = saleInput.extend({
  dayPassTypeId: uuid.meta({ description: 'The type of the pass' }),
  validOn: calendarDate.optional().meta({
    description: 'In the time zone of the location. Default: today.',
  }),
});

export const sellTicketInput = saleInput.extend({
  ticketTypeId: uuid.meta({ description: 'The type of the ticket' }),
});
