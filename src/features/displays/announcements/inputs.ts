import { z } from 'zod';
import { anyId, uuid } from '../../../core/validation.ts';
import { describeChanges, toChangeShape, toCreationShape } from '../../../rows/inputs.ts';
import { announcementRow } from '../rows.ts';

export const announcementFilter = z.object({
  locationId: uuid.optional().meta({
    description: 'Only announcements that this location shows, including those for all locations',
  }),
  from: z.date().optional().meta({ description: 'Only announcements that end after this time' }),
  to: z.date().optional().meta({ description: 'Only announcements that start before this time' }),
});

const id = anyId.meta({ description: 'The id of the announcement' });
export const announcementIdInput = z.object({ id });

const creationShape = toCreationShape(announcementRow);

export const createAnnouncementInput = z.object({
  ...creationShape,
  startsAt: creationShape.startsAt.meta({
    description: 'When displays begin to show it. Default: now.',
  }),
});

export const updateAnnouncementInput = z
  .object({ id, ...toChangeShape(announcementRow) })
  .meta({ description: describeChanges(announcementRow) });
