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
    recipientKey: { hidden, schema: z.string(), journal: true, erasure: 'row' },
    kind: { hidden, schema: z.enum(OptionalEmail), journal: true },
    createdAt: { hidden },
  },
} as const satisfies RowDescription<EmailOptOut>;
