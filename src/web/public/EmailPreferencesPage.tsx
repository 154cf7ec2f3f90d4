import { Alert, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { toApiError } from '../api/errors.ts';
import { request } from '../api/request.ts';
import { EmailPreferenceSwitches } from '../components/EmailPreferenceSwitches.tsx';
import { FormError } from '../components/ErrorAlerts.tsx';
import { PageHeader } from '../components/PageLayout.tsx';
import { QueryOrNotFound } from '../components/QueryBoundary.tsx';
import type { UpdateEmailPreferencesInput } from '../gql/graphql.ts';
import { graphql } from '../gql/index.ts';
import { getText } from '../language/page-texts.ts';

const PREFERENCES_QUERY = graphql(`
  query EmailPreferences($secret: String!) {
    emailPreferences(secret: $secret) {
      receivesReminders
      receivesMailings
    }
  }
`);

const UPDATE_MUTATION = graphql(`
  mutation UpdateEmailPreferences($input: UpdateEmailPreferencesInput!) {
    updateEmailPreferences(input: $input) {
      emailPreferences {
        receivesReminders
        receivesMailings
      }
    }
  }
`);

export function Component() {
  // It stays in the URL, so that the page can be reloaded: it only lets people choose which emails they get.
  const secret = useLocation().hash.slice(1) || null;
  return (
    <>
      <PageHeader title={getText('email.preferences')} description={getText('email.choose')} />
      {secret === null ? <InvalidLink /> : <Preferences key={secret} secret={secret} />}
    </>
  );
}

/** Requires a click, because email scanners open links, too. */
function Preferences({ secret }: { secret: string }) {
  const client = useQueryClient();
  const queryKey = ['email-preferences', secret];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await request(PREFERENCES_QUERY, { secret }, signal)).emailPreferences,
    retry: (count, error) => count < 2 && toApiError(error).code !== 'NOT_FOUND',
  });
  const update = useMutation({
    mutationFn: (changed: Omit<UpdateEmailPreferencesInput, 'secret'>) =>
      request(UPDATE_MUTATION, { input: { secret, ...changed } }),
    gcTime: 0,
    onSuccess: ({ updateEmailPreferences: { emailPreferences } }) =>
      client.setQueryData(queryKey, emailPreferences),
  });
  return (
    <QueryOrNotFound query={query} height={120} notFound={<InvalidLink />}>
      {(preferences) => (
        <Stack align="flex-start">
          <FormError error={update.error} />
          <EmailPreferenceSwitches
            preferences={preferences}
            isPending={update.isPending}
            onChange={(changed) => update.mutate(changed)}
          />
          <Text role="status" size="sm" c="dimmed">
            {update.isSuccess ? getText('email.saved') : getText('email.always')}
          </Text>
        </Stack>
      )}
    </QueryOrNotFound>
  );
}

const InvalidLink = () => (
  <Alert color="orange" role="alert" title={getText('page.linkInvalid')}>
    {getText('email.linkInvalidHelp')}
  </Alert>
);
