import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toApiError } from '../api/errors.ts';
import { request } from '../api/request.ts';
import { useLinkSecret } from '../app/session/use-link-secret.ts';
import { FormError } from '../components/ErrorAlerts.tsx';
import { PageHeader } from '../components/PageLayout.tsx';
import { QueryOrNotFound } from '../components/QueryBoundary.tsx';
import { graphql } from '../gql/index.ts';

const PREFERENCES_QUERY = graphql(`
  query EmailPreferences($secret: String!) {
    emailPreferences(secret: $secret) {
      receivesReminders
    }
  }
`);

const UPDATE_MUTATION = graphql(`
  mutation UpdateEmailPreferences($input: UpdateEmailPreferencesInput!) {
    updateEmailPreferences(input: $input) {
      emailPreferences {
        receivesReminders
      }
    }
  }
`);

export function Component() {
  const { secret } = useLinkSecret();
  return (
    <>
      <PageHeader title="Email preferences" description="Choose which emails we send you." />
      {secret === null ? <InvalidLink /> : <Reminders key={secret} secret={secret} />}
    </>
  );
}

/** Requires a click, because email scanners open links, too. */
function Reminders({ secret }: { secret: string }) {
  const client = useQueryClient();
  const queryKey = ['email-preferences', secret];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await request(PREFERENCES_QUERY, { secret }, signal)).emailPreferences,
    retry: (count, error) => count < 2 && toApiError(error).code !== 'NOT_FOUND',
  });
  const update = useMutation({
    mutationFn: (receivesReminders: boolean) =>
      request(UPDATE_MUTATION, { input: { secret, receivesReminders } }),
    gcTime: 0,
    onSuccess: ({ updateEmailPreferences: { emailPreferences } }) =>
      client.setQueryData(queryKey, emailPreferences),
  });
  return (
    <QueryOrNotFound query={query} height={120} notFound={<InvalidLink />}>
      {({ receivesReminders }) => (
        <Stack align="flex-start">
          <FormError error={update.error} />
          <Text role="status">
            {receivesReminders
              ? 'We send reminders to this address before bookings and events.'
              : 'We no longer send reminders to this address. You still get emails about changes.'}
          </Text>
          <Button
            variant={receivesReminders ? 'filled' : 'default'}
            loading={update.isPending}
            onClick={() => update.mutate(!receivesReminders)}
          >
            {receivesReminders ? 'Stop reminders' : 'Send reminders again'}
          </Button>
        </Stack>
      )}
    </QueryOrNotFound>
  );
}

const InvalidLink = () => (
  <Alert color="orange" role="alert" title="This link isn’t valid">
    It may be incomplete or too old. Copy the whole link from your latest reminder.
  </Alert>
);
