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

/** Where the link in the mail to a new address leads. */
export function Component() {
  const { secret } = useLinkSecret();
  return (
    <CenteredPage title="Confirm your e-mail address">
      {secret === null ? (
        <IncompleteLinkNotice />
      ) : (
        <ConfirmEmailPrompt key={secret} secret={secret} />
      )}
    </CenteredPage>
  );
}

/** Asks for a click: programs that look at mails open links, too, and must not use this one up. */
function ConfirmEmailPrompt({ secret }: { secret: string }) {
  const confirm = useConfirmEmail(secret);
  if (confirm.isSuccess) return <EmailConfirmationResult outcome={confirm.data} />;
  return (
    <Stack>
      <FormError error={confirm.error} />
      <Text>Is this mailbox yours, and do you want to use it as a member?</Text>
      <Button onClick={() => confirm.mutate()} loading={confirm.isPending} fullWidth autoFocus>
        Confirm the address
      </Button>
    </Stack>
  );
}

const CONFIRMATION_MESSAGES: Record<MemberEmailConfirmation, [title: string, text: string]> = {
  CONFIRMED: ['The address is confirmed', 'From now on, links to sign in go there.'],
  AWAITING_APPROVAL: [
    'Thank you',
    'The address changes once the holder of the present address or the space agrees, too.',
  ],
  AWAITING_CONFIRMATION: [
    'Thank you',
    'The address changes once the link in the new mailbox is opened, too.',
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
    Copy the whole link out of the mail that you got.
  </Alert>
);
