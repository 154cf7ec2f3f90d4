import { z } from 'zod';
import type { EmailTemplate } from '../../db/generated/client.ts';
import type { RowDescription } from '../../rows/row.ts';

const hidden = 'The APIs show the template of the catalog, with what the row changes';

/** What operators have changed of a template. */
export const emailTemplateRow = {
  table: 'email_templates',
  columns: {
    key: {
      hidden,
      schema: z.string(),
      description: 'Which email it is',
      journal: true,
      erasure: 'technical',
    },
    subject: {
      hidden,
      schema: z.string().nullable(),
      description: 'Its subject',
      whenNull: 'null if it is that of the catalog',
      journal: true,
      erasure: 'content',
    },
    body: {
      hidden,
      schema: z.string().nullable(),
      description: 'Its text',
      whenNull: 'null if it is that of the catalog',
      journal: true,
      erasure: 'content',
    },
    disabledAt: {
      hidden,
      schema: z.date().nullable(),
      description: 'When it was switched off',
      whenNull: 'null if it is sent',
      journal: true,
    },
    updatedAt: { hidden },
  },
} as const satisfies RowDescription<EmailTemplate>;
