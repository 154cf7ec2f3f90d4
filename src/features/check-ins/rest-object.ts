import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import { CheckInSubject } from '../../db/generated/enums.ts';
import { showRestFields } from '../../rest/row-fields.ts';
import type { RestObject } from '../../rest/row-object.ts';
import { instantSchema, toSnakeCaseKeys, zonedLocationSchema } from '../../rest/serializers.ts';
import { checkInRow } from './rows.ts';
import { attemptList, type CheckInAttempt } from './service/list-attempts.ts';

const fields = showRestFields(checkInRow, { except: ['at'] });

const id = uuid.nullable();

/** An attempt for staff and programs. */
const attemptSchema = z
  .object({
    ...fields.shape,
    checked_in_at: instantSchema.meta({ description: 'When the guest checked in, or tried to' }),
    subject: z
      .object({ type: z.enum(CheckInSubject), title: z.string().nullable() })
      .nullable()
      .meta({ description: 'What admitted the guest; null if the code was not found' }),
    location: zonedLocationSchema,
    ticket_id: id,
    day_pass_id: id,
    booking_id: id,
    member_id: id,
    host_id: id.meta({ description: 'The member whom a visitor visits' }),
  })
  .meta({ id: 'CheckInAttempt' });

const toAttemptJson = (attempt: CheckInAttempt) => ({
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
