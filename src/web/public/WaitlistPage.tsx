import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { toApiError } from '../api/errors.ts';
import { request } from '../api/request.ts';
import { useLinkSecret } from '../app/session/use-link-secret.ts';
import { FormError } from '../components/ErrorAlerts.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { graphql } from '../gql/index.ts';

const LEAVE_WAITLIST_MUTATION = graphql(`
  mutation LeaveWaitlist($secret: String!) {
    leaveWaitlist(secret: $secret)
  }
`);

export function Component() {
  const { secret } = useLinkSecret();
  return (
    <>
      <PageHeader title="Waiting list" description="You wait for tickets that are sold out." />
      {secret === null ? <IncompleteLink /> : <LeaveWaitlist key={secret} secret={secret} />}
    </>
  );
}

/** Asks for a click: programs that look at mails open links, too. */
function LeaveWaitlist({ secret }: { secret: string }) {
  const leave = useMutation({
    mutationFn: () => request(LEAVE_WAITLIST_MUTATION, { secret }),
    gcTime: 0,
  });
  if (leave.isSuccess) {
    return (
      <Stack align="flex-start">
        <Alert color="teal" role="status" title="You are off the list" w="100%">
          We write to you about it no more.
        </Alert>
        <EventsButton />
      </Stack>
    );
  }
  if (leave.error && toApiError(leave.error).code === 'NOT_FOUND') return <IncompleteLink />;
  return (
    <Stack align="flex-start">
      <FormError error={leave.error} />
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

const IncompleteLink = () => (
  <Stack align="flex-start">
    <Alert color="orange" role="alert" title="This link is incomplete" w="100%">
      It leads to no place on a waiting list. Copy the whole link out of the mail that you got.
    </Alert>
    <EventsButton />
  </Stack>
);

const EventsButton = () => (
  <Button component={Link} to="/events" variant="default">
    See what is coming
  </Button>
);
