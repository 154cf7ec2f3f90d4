import { z } from 'zod';
import { toSecretGuess } from '../../auth/guesses.ts';
import { defineRoute } from '../../rest/route.ts';
import { unsubscribe } from './service.ts';

export const routes = [
  defineRoute({
    method: 'POST',
    path: '/public/email-preferences/{secret}/unsubscribe',
    access: 'public',
    summary:
      'Stop reminders or mailings to a mailbox, depending on the email with the link. Email programs call it for List-Unsubscribe (RFC 8058), with any body',
    query: z.object({}), // some email programs add parameters
    data: z.object({ receives_reminders: z.boolean(), receives_mailings: z.boolean() }),
    guess: ({ params: { secret = '' }, rateLimits, address }) =>
      toSecretGuess(rateLimits, address, 'emailPreferences', secret),
    handler: async (ctx, { params: { secret = '' } }) => {
      const { receivesReminders, receivesMailings } = await unsubscribe(ctx, secret);
      return {
        data: { receives_reminders: receivesReminders, receives_mailings: receivesMailings },
      };
    },
  }),
];
