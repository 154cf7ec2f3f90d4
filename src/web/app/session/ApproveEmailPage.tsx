import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { CenteredPage } from '../../components/CenteredPage.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { graphql } from '../../gql/index.ts';
import {
  EmailConfirmationResult,
  IncompleteLinkNotice,
  useConfirmEmail,
} from './ConfirmEmailPage.tsx';
import { useLinkSecret } from './use-link-secret.ts';

const REJECT_MEMBER_EMAIL_CHANGE_MUTATION = graphql(`
  mutation RejectMemberEmailChange($secret: String!) {
    rejectMemberEmailChange(secret: $secret)
  }
`);

/** Where the link in the mail to the present address leads. */
export function Component() {
  const { secret } = useLinkSecret();
  return (
    <CenteredPage title="A new e-mail address">
      {secret === null ? (
        <IncompleteLinkNotice />
      ) : (
        <EmailChangeDecision key={secret} secret={secret} />
      )}
    </CenteredPage>
  );
}

function EmailChangeDecision({ secret }: { secret: string }) {
  const agree = useConfirmEmail(secret);
  const refuse = useMutation({
    mutationFn: () => request(REJECT_MEMBER_EMAIL_CHANGE_MUTATION, { secret }),
    gcTime: 0,
  });
  if (agree.isSuccess) return <EmailConfirmationResult outcome={agree.data} />;
  if (refuse.isSuccess) {
    return (
      <Alert color="teal" role="status" title="Nothing changes">
        You keep your address. If you know nothing of this change, tell the space.
      </Alert>
    );
  }
  return (
    <Stack>
      <FormError error={agree.error ?? refuse.error} />
      <Text>
        Your e-mail address is to be changed to the one in the mail. Do you agree? When it changes,
        you are signed out everywhere.
      </Text>
      <Button
        onClick={() => agree.mutate()}
        loading={agree.isPending}
        disabled={refuse.isPending}
        fullWidth
      >
        Yes, change my address
      </Button>
      <Button
        variant="default"
        onClick={() => refuse.mutate()}
        loading={refuse.isPending}
        disabled={agree.isPending}
        fullWidth
      >
        No, keep my address
      </Button>
    </Stack>
  );
}
