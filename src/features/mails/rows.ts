import { z } from 'zod';
import type { Mail } from '../../db/generated/client.ts';
import { MailPriority } from '../../db/generated/enums.ts';
import { createdAt, type RowDescription, rowId } from '../../rows/row.ts';

export const mailRow = {
  table: 'mails',
  columns: {
    id: rowId('Identifies the email in mail'),
    recipient: { schema: z.string(), description: 'The address it is for', erasure: 'row' },
    priority: {
      schema: z.enum(MailPriority),
      description: 'What happens to it above the limit of its recipient',
    },
    status: { hidden: 'Shown as state' },
    subject: { schema: z.string(), description: 'The subject line', erasure: 'copy' },
    text: {
      schema: z.string(),
      description:
        'The plain text. Secrets are redacted if a mail server is configured, and links that set a staff password always.',
      erasure: 'copy',
    },
    html: { hidden: 'The text says the same', erasure: 'copy' },
    attachments: { hidden: 'Shown without the content of the files', erasure: 'copy' },
    unsubscribeUrl: { hidden: 'A link of the recipient', erasure: 'technical' },
    attempts: { hidden: 'Part of state' },
    clientKey: { hidden: 'A hash, to limit what anonymous clients cause', erasure: 'technical' },
    lastError: {
      schema: z.string().nullable(),
      description: 'Why the last attempt failed, or why the email was not sent',
      erasure: 'copy',
    },
    nextAttemptAt: { hidden: 'Part of state' },
    sentAt: {
      schema: z.date().nullable(),
      description: 'When the mail server accepted it',
      whenNull: 'null if it has not',
    },
    mailingId: { hidden: 'Mailings list their emails' },
    createdAt: createdAt('When the service decided to send it'),
  },
} as const satisfies RowDescription<Mail>;
