import { toCallerKey } from '../../../auth/viewer.ts';
import { builder } from '../../../graphql/builder.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { sendTestEmail, type TestEmail as TestEmailValue } from './service.ts';

const TestEmailOutcome = builder.enumType('TestEmailOutcome', {
  description: 'What became of a test email',
  values: {
    SENT: { value: 'sent', description: 'The mail server accepted it' },
    NO_MAIL_SERVER: {
      value: 'no_mail_server',
      description: 'No mail server is configured: set SMTP_URL',
    },
    SIGN_IN_REJECTED: {
      value: 'sign_in_rejected',
      description: 'The mail server rejected the user name or password in SMTP_URL',
    },
    EMAIL_REJECTED: {
      value: 'email_rejected',
      description: 'The mail server rejected the sender, the recipient or the email',
    },
    TIMED_OUT: { value: 'timed_out', description: 'The mail server took longer than 20 seconds' },
    UNREACHABLE: {
      value: 'unreachable',
      description: 'There is no connection to the mail server, or it is not a mail server',
    },
  } as const,
});

const TestEmail = builder.objectRef<TestEmailValue>('TestEmail').implement({
  description: 'An attempt to send an email to the caller',
  fields: (t) => ({
    recipient: t.exposeString('recipient', { description: 'The address of the caller' }),
    outcome: t.expose('outcome', { type: TestEmailOutcome, description: 'Whether it was sent' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'What the mail server answered, in its words; null if it was sent',
    }),
  }),
});

addMutation('sendTestEmail', {
  description:
    'Sends an email to the caller at once and says what the mail server answered. It is not in the list of emails.',
  access: 'staff:manage',
  payload: { testEmail: { type: TestEmail, description: 'What became of it' } },
  ignoresIdempotencyKey: true,
  rateLimit: (_, { ctx, deps, address }) =>
    deps.rateLimits.testEmails.consume({ caller: toCallerKey(ctx.viewer, address) }),
  resolve: async (_, { ctx, deps }) => ({
    testEmail: await sendTestEmail(ctx, deps.config.smtpUrl),
  }),
});
