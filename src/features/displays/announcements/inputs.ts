import { z } from 'zod';
import { anyId, boundedText, singleLine } from '../../../core/validation.ts';

export const announcementFilter = z.object({
  locationId: z.uuid().optional().meta({
    description: 'Only announcements that this location shows, including those for all locations',
  }),
  from: z.date().optional().meta({ description: 'Only announcements that end after this time' }),
  to: z.date().optional().meta({ description: 'Only announcements that start before this time' }),
});

const id = anyId.meta({ description: 'The id of the announcement' });
const title = singleLine(200).meta({ description: 'The headline, on one line' });
const body = boundedText(2_000).meta({ description: 'The text below the headline' });

export const announcementIdInput = z.object({ id });

export const createAnnouncementInput = z.object({
  title,
  body: body.optional(),
  locationId: z.uuid().optional().meta({ description: 'Default: all locations' }),
  startsAt: z.date().optional().meta({ description: 'Default: now' }),
  endsAt: z.date().optional().meta({ description: 'Default: shown until it is deleted' }),
});

export const updateAnnouncementInput = z
  .object({
    id,
    title: title.optional(),
    body: body.nullish(),
    locationId: z.uuid().nullish().meta({ description: 'The only location that shows it' }),
    startsAt: z.date().optional().meta({ description: 'When displays start to show it' }),
    endsAt: z.date().nullish().meta({ description: 'When displays stop showing it' }),
  })
  .meta({
    description: 'Omitted fields stay as they are; null clears body, endsAt and locationId',
  });
