import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { request } from '../../api/request.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { CenteredPage } from '../../components/PageLayout.tsx';
import type { MemberEmailConfirmation } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { useLinkSecret } from './use-link-secret.ts';

const CONFIRM_MEMBER_EMAIL_MUTATION = graphql(`
  mutation ConfirmMemberEmail($secret: String!) {
    confirmMemberEmail(input: { secret: $secret }) {
      confirmation
    }
  }
`);

export const useConfirmEmail = (secret: string) =>
  useMutation({
    mutationFn: async () =>
      (await request(CONFIRM_MEMBER_EMAIL_MUTATION, { secret })).confirmMemberEmail.confirmation,
    gcTime: 0,
  });

/** Opened by the link in the email to the new address. */
export function ConfirmEmailPage() {
  const { secret } = useLinkSecret();
  return (
    <CenteredPage title="Confirm your email address">
      {secret === null ? (
        <IncompleteLinkNotice />
      ) : (
        <ConfirmEmailPrompt key={secret} secret={secret} />
      )}
    </CenteredPage>
  );
}

/** Waits for a click, as email scanners open links and must not use them up. */
function ConfirmEmailPrompt({ secret }: { secret: string }) {
  const confirm = useConfirmEmail(secret);
  if (confirm.isSuccess) return <EmailConfirmationResult outcome={confirm.data} />;
  return (
    <Stack>
      <FormError error={confirm.error} />
      <Text>Confirm that this is your email address and that you want to use it as a member.</Text>
      <Button onClick={() => confirm.mutate()} loading={confirm.isPending} fullWidth autoFocus>
        Confirm address
      </Button>
    </Stack>
  );
}

const CONFIRMATION_MESSAGES: Record<MemberEmailConfirmation, [title: string, text: string]> = {
  CONFIRMED: ['Email address confirmed', 'Sign-in links are sent to this address from now on.'],
  AWAITING_APPROVAL: [
    'Thank you',
    'The address changes once the owner of the current address or a manager approves it.',
  ],
  AWAITING_CONFIRMATION: [
    'Thank you',
    'The address changes once you open the link sent to the new address.',
  ],
};

export function EmailConfirmationResult({ outcome }: { outcome: MemberEmailConfirmation }) {
  const [title, text] = CONFIRMATION_MESSAGES[outcome];
  return (
    <Stack>
      <Alert color="teal" role="status" title={title}>
        {text}
      </Alert>
      {outcome === 'CONFIRMED' && (
        <Anchor component={Link} to="/sign-in">
          Sign in
        </Anchor>
      )}
    </Stack>
  );
}

export const IncompleteLinkNotice = () => (
  <Alert color="orange" role="alert" title="This link is incomplete">
    Copy the full link from your email.
  </Alert>
);

const REJECT_MEMBER_EMAIL_CHANGE_MUTATION = graphql(`
  mutation RejectMemberEmailChange($secret: String!) {
    rejectMemberEmailChange(input: { secret: $secret }) {
      rejectedEmail
    }
  }
`);

/** Opened by the link in the email to the current address. */
export function ApproveEmailPage() {
  const { secret } = useLinkSecret();
  return (
    <CenteredPage title="Change email address">
      {secret === null ? (
        <IncompleteLinkNotice />
      ) : (
        <EmailChangeDecision key={secret} secret={secret} />
      )}
    </CenteredPage>
  );
}

function EmailChangeDecision({ secret }: { secret: string }) {
  const approve = useConfirmEmail(secret);
  const reject = useMutation({
    mutationFn: () => request(REJECT_MEMBER_EMAIL_CHANGE_MUTATION, { secret }),
    gcTime: 0,
  });
  if (approve.isSuccess) return <EmailConfirmationResult outcome={approve.data} />;
  if (reject.isSuccess) {
    return (
      <Alert color="teal" role="status" title="Email address unchanged">
        You keep your current address. If you did not request the change, tell the front desk.
      </Alert>
    );
  }
  return (
    <Stack>
      <FormError error={approve.error ?? reject.error} />
      <Text>
        Do you want to change your email address to the one shown in the email? This signs you out
        everywhere.
      </Text>
      <Button
        onClick={() => approve.mutate()}
        loading={approve.isPending}
        disabled={reject.isPending}
        fullWidth
      >
        Change address
      </Button>
      <Button
        variant="default"
        onClick={() => reject.mutate()}
        loading={reject.isPending}
        disabled={approve.isPending}
        fullWidth
      >
        Keep current address
      </Button>
    </Stack>
  );
}
