import { z } from 'zod';
import type { EmailOptOut } from '../../db/generated/client.ts';
import { OptionalEmail } from '../../db/generated/enums.ts';
import type { RowDescription } from '../../rows/row.ts';

const hidden = 'Shown as the preferences of the mailbox';

/** A mailbox that wants no emails of a kind. */
export const emailOptOutRow = {
  table: 'email_opt_outs',
  columns: {
    id: { hidden },
    recipientKey: {
      hidden,
      schema: z.string(),
      description: 'Stands for the mailbox, without its address',
      journal: true,
      erasure: 'row',
    },
    kind: {
      hidden,
      schema: z.enum(OptionalEmail),
      description: 'The emails that the mailbox no longer gets',
      journal: true,
    },
    createdAt: { hidden },
  },
} as const satisfies RowDescription<EmailOptOut>;
