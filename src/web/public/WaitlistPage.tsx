import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { toApiError } from '../api/errors.ts';
import { request } from '../api/request.ts';
import { useLinkSecret } from '../app/session/use-link-secret.ts';
import { FormError } from '../components/ErrorAlerts.tsx';
import { PageHeader } from '../components/PageLayout.tsx';
import { graphql } from '../gql/index.ts';

const LEAVE_WAITLIST_MUTATION = graphql(`
  mutation LeaveWaitlist($secret: String!) {
    leaveWaitlist(input: { secret: $secret }) {
      quantity
    }
  }
`);

export function Component() {
  const { secret } = useLinkSecret();
  return (
    <>
      <PageHeader title="Waiting list" description="For tickets that are sold out." />
      {secret === null ? <InvalidLink /> : <LeaveWaitlist key={secret} secret={secret} />}
    </>
  );
}

/** Requires a click, because email scanners open links, too. */
function LeaveWaitlist({ secret }: { secret: string }) {
  const leave = useMutation({
    mutationFn: () => request(LEAVE_WAITLIST_MUTATION, { secret }),
    gcTime: 0,
  });
  if (leave.isSuccess) {
    return (
      <Stack align="flex-start">
        <Alert color="teal" role="status" title="You’ve left the waiting list" w="100%">
          We won’t email you about these tickets again.
        </Alert>
        <EventsButton />
      </Stack>
    );
  }
  if (leave.error && toApiError(leave.error).code === 'NOT_FOUND') return <InvalidLink />;
  return (
    <Stack align="flex-start">
      <FormError error={leave.error} />
      <Text>
        No longer need the tickets? Leave the list, and the next person gets their turn. Any tickets
        we’re holding for you will be released, too.
      </Text>
      <Group>
        <Button color="red" loading={leave.isPending} onClick={() => leave.mutate()}>
          Leave the waiting list
        </Button>
      </Group>
    </Stack>
  );
}

const InvalidLink = () => (
  <Stack align="flex-start">
    <Alert color="orange" role="alert" title="This link isn’t valid" w="100%">
      It may be incomplete. Copy the whole link from your email.
    </Alert>
    <EventsButton />
  </Stack>
);

const EventsButton = () => (
  <Button component={Link} to="/events" variant="default">
    See upcoming events
  </Button>
);
