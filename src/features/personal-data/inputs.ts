import { z } from 'zod';
import {
  boundedText,
  calendarDate,
  creationFilter,
  emailAddress,
  orDefault,
  uuid,
} from '../../core/validation.ts';

export const erasureFilter = creationFilter.meta({
  description: 'Limits a list of erasures; all conditions apply together',
});

const dataSubject = z.object({
  email: emailAddress.optional().meta({
    description:
      'Finds members, buyers, guests and anyone else with this email address, ignoring case.',
  }),
  memberId: uuid.optional().meta({ description: 'Finds the member and all their data' }),
  name: boundedText(200).optional().meta({
    description: 'The full name of a person without an address: a visitor, guest or attendee',
  }),
  date: calendarDate.optional().meta({ description: 'Limits a search by name to this day' }),
});

const EXACTLY_ONE = { description: 'Exactly one of email, memberId and name' };

export const dataSubjectInput = dataSubject.meta(EXACTLY_ONE);

export const erasePersonalDataInput = dataSubject
  .extend({
    reason: boundedText(500)
      .optional()
      .meta({ description: 'Recorded with the erasure, such as the date of the request' }),
    endContracts: z.boolean().default(false).meta({
      description: 'First cancels upcoming bookings without a fee and ends memberships',
    }),
  })
  .meta(EXACTLY_ONE);

export const updateRetentionPolicyInput = z.object({
  key: boundedText(100).meta({ description: 'The key of the policy, from retentionPolicies' }),
  days: orDefault(z.int(), null).meta({
    description: 'Null stores the rows forever, if the policy allows that',
  }),
});
