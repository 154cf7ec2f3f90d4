import { z } from 'zod';

const secret = z.string().optional().meta({
  description: 'The secret from the link in a reminder. Signed-in members can omit it.',
});

export const emailPreferencesArgs = z.object({ secret });

export const updateEmailPreferencesInput = z.object({
  secret,
  receivesReminders: z.boolean().meta({ description: 'Whether reminders are sent to the mailbox' }),
});
