import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { graphql } from '../../gql/index.ts';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { FullPage } from '../../ui/FullPage.tsx';
import { EmailConfirmed, IncompleteLink, useConfirmEmail } from './ConfirmEmailPage.tsx';
import { useLinkSecret } from './link-secret.ts';

const REJECT = graphql(`
  mutation RejectMemberEmailChange($secret: String!) {
    rejectMemberEmailChange(secret: $secret)
  }
`);

/** Where the link in the mail to the present address leads. */
export function Component() {
  const { secret } = useLinkSecret();
  return (
    <FullPage title="A new e-mail address">
      {secret === null ? <IncompleteLink /> : <AgreeOrRefuse key={secret} secret={secret} />}
    </FullPage>
  );
}

function AgreeOrRefuse({ secret }: { secret: string }) {
  const agree = useConfirmEmail(secret);
  const refuse = useMutation({ mutationFn: () => request(REJECT, { secret }), gcTime: 0 });
  if (agree.isSuccess) return <EmailConfirmed outcome={agree.data} />;
  if (refuse.isSuccess) {
    return (
      <Alert color="teal" role="status" title="Nothing changes">
        You keep your address. If you know nothing of this change, tell the space.
      </Alert>
    );
  }
  return (
    <Stack>
      <FormFailure error={agree.error ?? refuse.error} />
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
