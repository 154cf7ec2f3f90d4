import { z } from 'zod';
import { toSecretGuess } from '../../auth/guesses.ts';
import { defineRoute } from '../../rest/route.ts';
import { updateEmailPreferences } from './service.ts';

export const routes = [
  defineRoute({
    method: 'POST',
    path: '/public/email-preferences/{secret}/unsubscribe',
    access: 'public',
    summary:
      'Stop reminders to a mailbox. Email programs call it for List-Unsubscribe (RFC 8058), with any body',
    query: z.object({}), // some email programs add parameters
    data: z.object({ receives_reminders: z.literal(false) }),
    guess: ({ params: { secret = '' }, rateLimits, address }) =>
      toSecretGuess(rateLimits, address, 'emailPreferences', secret),
    handler: async (ctx, { params: { secret = '' } }) => {
      await updateEmailPreferences(ctx, { secret, receivesReminders: false });
      return { data: { receives_reminders: false } };
    },
  }),
];
