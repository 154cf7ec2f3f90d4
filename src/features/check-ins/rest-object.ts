import { z } from 'zod';
import { toSnakeCaseKeys } from '../../core/letter-case.ts';
import { uuid } from '../../core/validation.ts';
import { CheckInSubject } from '../../db/generated/enums.ts';
import { showRestFields } from '../../objects/row-fields.ts';
import type { RestObject } from '../../objects/row-object.ts';
import { instantSchema, zonedLocationSchema } from '../../objects/schemas.ts';
import { describeField } from '../../rows/row.ts';
import { checkInRow } from './rows.ts';
import { attemptList, type CheckInAttempt } from './service/list-attempts.ts';

const fields = showRestFields(checkInRow, { except: ['at'] });

const toId = (name: 'ticketId' | 'dayPassId' | 'bookingId' | 'memberId' | 'hostId') =>
  uuid.nullable().meta({ description: describeField(checkInRow.columns[name]) });

/** An attempt for staff and programs. */
const attemptSchema = z
  .object({
    ...fields.shape,
    checked_in_at: instantSchema.meta({ description: 'When the guest checked in, or tried to' }),
    subject: z
      .object({
        type: z.enum(CheckInSubject).meta({ description: 'Its kind' }),
        title: z.string().nullable().meta({ description: 'Its title; null if it has none' }),
      })
      .nullable()
      .meta({ description: 'What admitted the guest; null if the code was not found' }),
    location: zonedLocationSchema.meta({ description: 'Where it happened' }),
    ticket_id: toId('ticketId'),
    day_pass_id: toId('dayPassId'),
    booking_id: toId('bookingId'),
    member_id: toId('memberId'),
    host_id: toId('hostId'),
  })
  .meta({ id: 'CheckInAttempt', description: 'An attempt to check in or out, as staff see it' });

export const toAttemptJson = (attempt: CheckInAttempt) => ({
  ...fields.serialize(attempt),
  checked_in_at: attempt.at.toISOString(),
  subject: attempt.subject,
  location: toSnakeCaseKeys(attempt.location),
  ticket_id: attempt.ticketId,
  day_pass_id: attempt.dayPassId,
  booking_id: attempt.bookingId,
  member_id: attempt.memberId,
  host_id: attempt.hostId,
});

export const checkInObject: RestObject = {
  schema: attemptSchema,
  find: async (ctx, ids) => {
    const attempts = await attemptList.findByIds(ctx, ids);
    return new Map(attempts.map((attempt) => [attempt.id, toAttemptJson(attempt)]));
  },
};
