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

/** The page behind the link in the email to the current address. */
export function Component() {
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
  const agree = useConfirmEmail(secret);
  const refuse = useMutation({
    mutationFn: () => request(REJECT_MEMBER_EMAIL_CHANGE_MUTATION, { secret }),
    gcTime: 0,
  });
  if (agree.isSuccess) return <EmailConfirmationResult outcome={agree.data} />;
  if (refuse.isSuccess) {
    return (
      <Alert color="teal" role="status" title="Email address unchanged">
        You keep your current address. If you did not request this change, tell the staff.
      </Alert>
    );
  }
  return (
    <Stack>
      <FormError error={agree.error ?? refuse.error} />
      <Text>
        Change your email address to the one in the email? You will be signed out everywhere.
      </Text>
      <Button
        onClick={() => agree.mutate()}
        loading={agree.isPending}
        disabled={refuse.isPending}
        fullWidth
      >
        Change address
      </Button>
      <Button
        variant="default"
        onClick={() => refuse.mutate()}
        loading={refuse.isPending}
        disabled={agree.isPending}
        fullWidth
      >
        Keep current address
      </Button>
    </Stack>
  );
}
