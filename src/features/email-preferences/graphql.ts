import { toSecretGuess } from '../../auth/guesses.ts';
import { builder, withArgs } from '../../graphql/builder.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { emailPreferencesArgs, updateEmailPreferencesInput } from './inputs.ts';
import {
  type EmailPreferences as EmailPreferencesValue,
  getEmailPreferences,
  updateEmailPreferences,
} from './service.ts';

const EmailPreferences = builder.objectRef<EmailPreferencesValue>('EmailPreferences').implement({
  description: 'Which emails are sent to a mailbox, besides those that are necessary',
  fields: (t) => ({
    receivesReminders: t.exposeBoolean('receivesReminders', {
      description: 'Whether it gets reminders before bookings and events',
    }),
    receivesMailings: t.exposeBoolean('receivesMailings', {
      description:
        'Whether it gets mailings to members. Those to the attendees of an event are always sent.',
    }),
  }),
});

builder.queryField('emailPreferences', (t) =>
  t.field({
    type: EmailPreferences,
    description: 'Gets the preferences of a mailbox: of a link, or of the signed-in member',
    authScopes: { access: 'public' },
    ...withArgs(emailPreferencesArgs, ({ secret }, { ctx }) => getEmailPreferences(ctx, secret)),
    guess: ({ secret }, { deps, address }) =>
      toSecretGuess(deps.rateLimits, address, 'emailPreferences', secret ?? ''),
  }),
);

addMutation('updateEmailPreferences', {
  description: 'Changes the preferences of a mailbox: of a link, or of the signed-in member',
  access: 'public',
  input: updateEmailPreferencesInput,
  payload: { emailPreferences: { type: EmailPreferences, description: 'What applies now' } },
  guess: ({ secret }, { deps, address }) =>
    toSecretGuess(deps.rateLimits, address, 'emailPreferences', secret ?? ''),
  resolve: async (input, { ctx }) => ({
    emailPreferences: await updateEmailPreferences(ctx, input),
  }),
});
