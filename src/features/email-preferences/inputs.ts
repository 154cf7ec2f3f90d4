import { z } from 'zod';

const secret = z.string().optional().meta({
  description: 'The secret from the link in a reminder or mailing. Signed-in members can omit it.',
});

export const emailPreferencesArgs = z.object({ secret });

export const updateEmailPreferencesInput = z
  .object({
    secret,
    receivesReminders: z
      .boolean()
      .optional()
      .meta({ description: 'Whether reminders are sent to the mailbox' }),
    receivesMailings: z
      .boolean()
      .optional()
      .meta({ description: 'Whether mailings to members are sent to the mailbox' }),
  })
  .meta({ description: 'Omitted preferences stay as they are' });
