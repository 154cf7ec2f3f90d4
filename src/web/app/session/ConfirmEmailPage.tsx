import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { request } from '../../api/request.ts';
import { CenteredPage } from '../../components/CenteredPage.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import type { MemberEmailConfirmation } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { useLinkSecret } from './use-link-secret.ts';

const CONFIRM_MEMBER_EMAIL_MUTATION = graphql(`
  mutation ConfirmMemberEmail($secret: String!) {
    confirmMemberEmail(secret: $secret)
  }
`);

export const useConfirmEmail = (secret: string) =>
  useMutation({
    mutationFn: async () =>
      (await request(CONFIRM_MEMBER_EMAIL_MUTATION, { secret })).confirmMemberEmail,
    gcTime: 0,
  });

/** The page behind the link in the email to a new address. */
export function Component() {
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

/** Asks for a click, as email scanners open links and must not consume this one. */
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
    'The address changes once the owner of the current address or the staff approve it.',
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
