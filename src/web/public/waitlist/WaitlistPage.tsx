import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { toApiError } from '../../api/errors.ts';
import { useLinkSecret } from '../../app/session/use-link-secret.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { PageHeader, SectionCard } from '../../components/PageLayout.tsx';
import { QueryOrNotFound } from '../../components/QueryBoundary.tsx';
import { getText } from '../../language/page-texts.ts';
import { describeEntry } from './describe-entry.ts';
import { EntryForm } from './EntryForm.tsx';
import { leaveWaitlist, useOwnEntry } from './queries.ts';

export function Component() {
  const { secret } = useLinkSecret();
  return (
    <>
      <PageHeader title={getText('waitlist.title')} description={getText('waitlist.intro')} />
      {secret === null ? <InvalidLink /> : <OwnEntry key={secret} secret={secret} />}
    </>
  );
}

/** Shows people what they wait for, and lets them change it and leave the list. */
function OwnEntry({ secret }: { secret: string }) {
  const query = useOwnEntry(secret);
  const leave = useMutation({ mutationFn: () => leaveWaitlist(secret), gcTime: 0 });
  if (leave.isSuccess) {
    return (
      <Stack align="flex-start">
        <Alert color="teal" role="status" title={getText('waitlist.left')} w="100%">
          {getText('waitlist.leftHelp')}
        </Alert>
        <EventsButton />
      </Stack>
    );
  }
  if (leave.error && toApiError(leave.error).code === 'NOT_FOUND') return <InvalidLink />;
  return (
    <QueryOrNotFound query={query} height={320} notFound={<InvalidLink />}>
      {(entry) => (
        <Stack>
          <SectionCard title={entry.eventTitle} description={entry.ticketTypeName}>
            <Text role="status">{describeEntry(entry)}</Text>
            {entry.allowedActions.change && (
              <EntryForm key={entry.quantity} entry={entry} secret={secret} />
            )}
          </SectionCard>
          {entry.allowedActions.leave && (
            <Stack align="flex-start">
              <FormError error={leave.error} />
              <Text>{getText('waitlist.leaveHelp')}</Text>
              <Group>
                <Button color="red" loading={leave.isPending} onClick={() => leave.mutate()}>
                  {getText('waitlist.leave')}
                </Button>
              </Group>
            </Stack>
          )}
        </Stack>
      )}
    </QueryOrNotFound>
  );
}

const InvalidLink = () => (
  <Stack align="flex-start">
    <Alert color="orange" role="alert" title={getText('page.linkInvalid')} w="100%">
      {getText('waitlist.linkInvalidHelp')}
    </Alert>
    <EventsButton />
  </Stack>
);

const EventsButton = () => (
  <Button component={Link} to="/events" variant="default">
    {getText('page.seeEvents')}
  </Button>
);
