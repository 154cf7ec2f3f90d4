import { z } from 'zod';
import { creationFilter, uuid } from '../../core/validation.ts';
import { toCreationShape } from '../../rows/inputs.ts';
import { calendarFeedRow } from './rows.ts';
import type { CalendarFeedSubject } from './service.ts';

export const calendarFeedFilter = creationFilter
  .extend({
    resourceId: uuid.optional().meta({ description: 'Only feeds of this resource' }),
    memberId: uuid.optional().meta({ description: 'Only feeds of this member' }),
    active: z.boolean().optional().meta({
      description:
        'true: only feeds whose URL works. false: only revoked feeds, and those whose creator can no longer see the bookings.',
    }),
  })
  .meta({ description: 'Limits a list of calendar feeds; all conditions apply together' });

export const createCalendarFeedInput = z
  .object(toCreationShape(calendarFeedRow))
  .meta({ description: 'Either resourceId or memberId' })
  .transform(({ resourceId, memberId }, ctx): CalendarFeedSubject => {
    if (resourceId != null && memberId == null) return { resourceId };
    if (memberId != null && resourceId == null) return { memberId };
    ctx.addIssue('Specify either resourceId or memberId.');
    return z.NEVER;
  });

export const calendarFeedIdInput = z.object({
  id: uuid.meta({ description: 'The id of the feed' }),
});
