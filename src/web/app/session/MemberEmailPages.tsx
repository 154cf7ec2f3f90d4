import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { request } from '../../api/request.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { CenteredPage } from '../../components/PageLayout.tsx';
import type { MemberEmailConfirmation } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { getMemberText } from '../../language/member-texts.ts';
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
    <CenteredPage title={getMemberText('address.confirmTitle')}>
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
      <Text>{getMemberText('address.confirmPrompt')}</Text>
      <Button onClick={() => confirm.mutate()} loading={confirm.isPending} fullWidth autoFocus>
        {getMemberText('address.confirm')}
      </Button>
    </Stack>
  );
}

const CONFIRMATION_KEYS = {
  CONFIRMED: ['address.confirmed', 'address.confirmedHelp'],
  AWAITING_APPROVAL: ['address.thanks', 'address.awaitingApproval'],
  AWAITING_CONFIRMATION: ['address.thanks', 'address.awaitingConfirmation'],
} as const satisfies Record<MemberEmailConfirmation, [title: string, text: string]>;

export function EmailConfirmationResult({ outcome }: { outcome: MemberEmailConfirmation }) {
  const [title, text] = CONFIRMATION_KEYS[outcome];
  return (
    <Stack>
      <Alert color="teal" role="status" title={getMemberText(title)}>
        {getMemberText(text)}
      </Alert>
      {outcome === 'CONFIRMED' && (
        <Anchor component={Link} to="/sign-in">
          {getMemberText('address.signIn')}
        </Anchor>
      )}
    </Stack>
  );
}

export const IncompleteLinkNotice = () => (
  <Alert color="orange" role="alert" title={getMemberText('address.linkIncomplete')}>
    {getMemberText('address.linkIncompleteHelp')}
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
    <CenteredPage title={getMemberText('address.changeTitle')}>
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
      <Alert color="teal" role="status" title={getMemberText('address.unchanged')}>
        {getMemberText('address.unchangedHelp')}
      </Alert>
    );
  }
  return (
    <Stack>
      <FormError error={approve.error ?? reject.error} />
      <Text>{getMemberText('address.changePrompt')}</Text>
      <Button
        onClick={() => approve.mutate()}
        loading={approve.isPending}
        disabled={reject.isPending}
        fullWidth
      >
        {getMemberText('address.change')}
      </Button>
      <Button
        variant="default"
        onClick={() => reject.mutate()}
        loading={reject.isPending}
        disabled={approve.isPending}
        fullWidth
      >
        {getMemberText('address.keep')}
      </Button>
    </Stack>
  );
}
