import { z } from 'zod';
import { uuid } from '../../core/validation.ts';
import type { CalendarFeed } from '../../db/generated/client.ts';
import { createdAt, type RowDescription, rowId } from '../../rows/row.ts';

export const calendarFeedRow = {
  table: 'calendar_feeds',
  columns: {
    id: rowId('Identifies the feed when you revoke it; it is not the secret'),
    hash: { hidden: 'A secret' },
    prefix: {
      schema: z.string(),
      description: 'The first characters of the secret, to recognize it',
      journal: false,
      erasure: 'technical',
    },
    resourceId: {
      hidden: 'Shown as resource',
      schema: uuid.nullable(),
      description: 'The resource whose bookings the feed shows',
      whenNull: 'null if it shows those of a member',
      create: 'optional',
      journal: true,
    },
    memberId: {
      hidden: 'Shown as member',
      schema: uuid.nullable(),
      description: 'The member whose bookings the feed shows',
      whenNull: 'null if it shows those of a resource',
      create: 'optional',
      journal: true,
    },
    createdById: {
      hidden: 'Shown as createdBy',
      schema: uuid.nullable(),
      description: 'The account of staff that created it',
      whenNull: 'null if no account of staff did',
      journal: true,
    },
    createdAt: createdAt('When the feed was created'),
    revokedAt: {
      schema: z.date().nullable(),
      description: 'When it was revoked',
      whenNull: 'null if it was not',
    },
  },
} as const satisfies RowDescription<CalendarFeed>;
