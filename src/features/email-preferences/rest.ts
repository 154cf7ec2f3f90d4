import type { Express } from 'express';
import { z } from 'zod';
import { toSecretGuess } from '../../auth/guesses.ts';
import { defineRoute } from '../../rest/route.ts';
import type { Dependencies } from '../../server/dependencies.ts';
import { toPreferencesPage, unsubscribe } from './service.ts';

export const routes = [
  defineRoute({
    method: 'POST',
    path: '/public/email-preferences/{secret}/unsubscribe',
    access: 'public',
    operationId: 'unsubscribe',
    summary: 'Stop reminders or mailings to a mailbox',
    description:
      'Which of them depends on the email with the link. Email programs call it for List-Unsubscribe (RFC 8058), with any body.',
    query: z.object({}), // some email programs add parameters
    data: z.object({
      receives_reminders: z.boolean().meta({ description: 'Whether it still gets reminders' }),
      receives_mailings: z.boolean().meta({ description: 'Whether it still gets mailings' }),
    }),
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

/**
 * Leads people to the page with their preferences: email programs that do not know List-Unsubscribe-Post open its URL in a
 * browser. Email scanners open links, too, so this changes nothing.
 */
export function registerEmailPreferenceRoutes(app: Express, deps: Dependencies): void {
  app.get('/public/email-preferences/:secret/unsubscribe', (req, res) =>
    res.redirect(toPreferencesPage(deps.config, req.params.secret)),
  );
}
