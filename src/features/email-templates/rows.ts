import { z } from 'zod';
import type { EmailTemplate } from '../../db/generated/client.ts';
import type { RowDescription } from '../../rows/row.ts';

const hidden = 'The APIs show the template of the catalog, with what the row changes';

/** What operators have changed of a template. */
export const emailTemplateRow = {
  table: 'email_templates',
  columns: {
    key: { hidden, schema: z.string(), journal: true, erasure: 'technical' },
    subject: { hidden, schema: z.string().nullable(), journal: true, erasure: 'content' },
    body: { hidden, schema: z.string().nullable(), journal: true, erasure: 'content' },
    disabledAt: { hidden, schema: z.date().nullable(), journal: true },
    updatedAt: { hidden },
  },
} as const satisfies RowDescription<EmailTemplate>;
