import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useLacksMailServer } from '../../app/session/setup-query.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import type { TestEmailOutcome as Outcome } from '../../gql/graphql.ts';
import { useSendTestEmail } from './queries.ts';

/** What to do next after each outcome except SENT. */
const REMEDIES: Record<Exclude<Outcome, 'SENT'>, [title: string, text: string]> = {
  NO_MAIL_SERVER: [
    'No mail server is set',
    'Set SMTP_URL and MAIL_FROM, then restart Foyer and send a test email from the system page. Until then, emails are only stored and shown in the panel.',
  ],
  SIGN_IN_REJECTED: [
    'The mail server rejected the sign-in',
    'Check the user name and password in SMTP_URL. Characters such as @ and : must be percent-encoded.',
  ],
  EMAIL_REJECTED: [
    'The mail server rejected the email',
    'Check that MAIL_FROM is an address for which this server may send.',
  ],
  TIMED_OUT: [
    'The mail server did not answer in time',
    'Check the host and the port in SMTP_URL, and whether a firewall blocks the port.',
  ],
  UNREACHABLE: [
    'The mail server cannot be reached',
    'Check the host and the port in SMTP_URL. smtps:// is for port 465, smtp:// for 587 and 25.',
  ],
};

/** Sends an email to the owner and says what the mail server answered. */
export function TestEmail({ onNext }: { onNext: () => void }) {
  const send = useSendTestEmail();
  const lacksMailServer = useLacksMailServer();
  const isSent = send.data?.outcome === 'SENT';
  return (
    <Stack>
      <FormError error={send.error} />
      {send.data && <TestEmailOutcome {...send.data} />}
      {lacksMailServer && !send.data && (
        <TestEmailOutcome recipient="" outcome="NO_MAIL_SERVER" error={null} />
      )}
      <Group justify="flex-end">
        <Button variant={isSent ? 'filled' : 'default'} onClick={onNext}>
          {isSent ? 'Continue' : 'Skip'}
        </Button>
        {!lacksMailServer && (
          <Button
            variant={isSent ? 'default' : 'filled'}
            onClick={() => send.mutate()}
            loading={send.isPending}
          >
            {send.data ? 'Send again' : 'Send me a test email'}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface OutcomeProps {
  recipient: string;
  outcome: Outcome;
  error: string | null;
}

/** What the mail server answered, and what to do next. */
export function TestEmailOutcome({ recipient, outcome, error }: OutcomeProps) {
  if (outcome === 'SENT') {
    return (
      <Alert color="teal" role="status" title="Sent">
        The mail server accepted the email to {recipient}. Check that it has arrived, also in the
        spam folder.
      </Alert>
    );
  }
  const [title, text] = REMEDIES[outcome];
  return (
    <Alert color="orange" role="alert" title={title}>
      <Text size="sm">{text}</Text>
      {error !== null && (
        <Code block mt="sm" style={{ whiteSpace: 'pre-wrap' }}>
          {error}
        </Code>
      )}
    </Alert>
  );
}
