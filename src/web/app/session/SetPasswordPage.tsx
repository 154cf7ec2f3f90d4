import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { toApiError } from '../../api/errors.ts';
import { request } from '../../api/request.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { CenteredPage } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { StaffLinkQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { beginSession } from './session-changes.ts';
import { useLinkSecret } from './use-link-secret.ts';

const STAFF_LINK_QUERY = graphql(`
  query StaffLink($secret: String!) {
    staffLink(secret: $secret) {
      purpose
      name
      email
    }
  }
`);

const ACCEPT_STAFF_LINK_MUTATION = graphql(`
  mutation AcceptStaffLink($input: AcceptStaffLinkInput!) {
    acceptStaffLink(input: $input) {
      staffUser {
        id
      }
    }
  }
`);

/** Opened by the link of an invitation or a password reset. */
export function Component() {
  const { secret } = useLinkSecret();
  return (
    <CenteredPage title="Choose a password">
      {secret === null ? (
        <InvalidLinkNotice message="The link is incomplete. Open it from the email again, or ask an owner for a new one." />
      ) : (
        <PasswordLinkLoader key={secret} secret={secret} />
      )}
    </CenteredPage>
  );
}

function PasswordLinkLoader({ secret }: { secret: string }) {
  const link = useQuery({
    queryKey: ['staff-link', secret],
    queryFn: async () => (await request(STAFF_LINK_QUERY, { secret })).staffLink,
    retry: false,
    // After use the link is invalid, so it is not requested again.
    staleTime: Infinity,
    gcTime: 0,
  });
  const error = link.error && toApiError(link.error);
  if (error?.code === 'UNAUTHENTICATED') return <InvalidLinkNotice message={error.message} />;
  return (
    <QueryBoundary query={link} height={220}>
      {(link) => <ChoosePasswordForm secret={secret} link={link} />}
    </QueryBoundary>
  );
}

const InvalidLinkNotice = ({ message }: { message: string }) => (
  <Stack>
    <Alert color="red" role="alert" title="This link does not work">
      {message}
    </Alert>
    <Anchor component={Link} to="/sign-in" size="sm">
      Go to sign-in
    </Anchor>
  </Stack>
);

interface Props {
  secret: string;
  link: StaffLinkQuery['staffLink'];
}

function ChoosePasswordForm({ secret, link: { purpose, name, email } }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: isNotEmpty('Enter a password') },
  });
  const accept = useMutation({
    mutationFn: async ({ password }: { password: string }) => {
      await request(ACCEPT_STAFF_LINK_MUTATION, { input: { secret, password } });
      await beginSession(client);
    },
    onSuccess: () => navigate('/', { replace: true }),
    onError: () => form.getInputNode('password')?.focus(),
    gcTime: 0,
  });
  return (
    <form noValidate onSubmit={form.onSubmit((values) => accept.mutate(values))}>
      <Stack>
        <FormError error={accept.error} />
        <Text size="sm">
          {purpose === 'INVITATION'
            ? `Welcome, ${name}. Choose a password to accept the invitation.`
            : `Hello, ${name}. Choose a new password. The old one stops working, and you are signed out in other browsers.`}
        </Text>
        <TextInput
          label="Email address"
          description="You use it to sign in"
          value={email}
          readOnly
          autoComplete="username"
        />
        <PasswordInput
          label="New password"
          description="At least 12 characters. A few unrelated words work well."
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          autoFocus
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={accept.isPending} fullWidth>
          Set password and sign in
        </Button>
      </Stack>
    </form>
  );
}
