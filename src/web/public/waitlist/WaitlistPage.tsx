import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { asApiError } from '../../api/errors.ts';
import { request } from '../../api/request.ts';
import { graphql } from '../../gql/index.ts';
import { useLinkSecret } from '../../session/members/link-secret.ts';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';

const LEAVE = graphql(`
  mutation LeaveWaitlist($secret: String!) {
    leaveWaitlist(secret: $secret)
  }
`);

export function Component() {
  const { secret } = useLinkSecret();
  return (
    <>
      <PageHeader title="Waiting list" description="You wait for tickets that are sold out." />
      {secret === null ? <Incomplete /> : <Leave key={secret} secret={secret} />}
    </>
  );
}

/** Asks for a click: programs that look at mails open links, too. */
function Leave({ secret }: { secret: string }) {
  const leave = useMutation({ mutationFn: () => request(LEAVE, { secret }), gcTime: 0 });
  if (leave.isSuccess) {
    return (
      <Stack align="flex-start">
        <Alert color="teal" role="status" title="You are off the list" w="100%">
          We write to you about it no more.
        </Alert>
        <Events />
      </Stack>
    );
  }
  if (leave.error && asApiError(leave.error).code === 'NOT_FOUND') return <Incomplete />;
  return (
    <Stack align="flex-start">
      <FormFailure error={leave.error} />
      <Text>
        You need the tickets no more? Leave the list, and the next one has their turn. Tickets that
        are kept for you right now are given up, too.
      </Text>
      <Group>
        <Button color="red" loading={leave.isPending} onClick={() => leave.mutate()}>
          Leave the waiting list
        </Button>
      </Group>
    </Stack>
  );
}

const Incomplete = () => (
  <Stack align="flex-start">
    <Alert color="orange" role="alert" title="This link is incomplete" w="100%">
      It leads to no place on a waiting list. Copy the whole link out of the mail that you got.
    </Alert>
    <Events />
  </Stack>
);

const Events = () => (
  <Button component={Link} to="/events" variant="default">
    See what is coming
  </Button>
);
