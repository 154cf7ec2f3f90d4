import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Navigate, useSearchParams } from 'react-router';
import { request } from '../../api/request.ts';
import { MEMBER_PATH } from '../../api/urls.ts';
import { CenteredPage, PageLoader } from '../../components/CenteredPage.tsx';
import { graphql } from '../../gql/index.ts';
import { parseReturnUrl } from './return-url.ts';
import { SignInError } from './SignInError.tsx';
import { beginSession, useViewer } from './viewer.ts';

export function Component() {
  const [query] = useSearchParams();
  const viewer = useViewer();
  if (viewer.isPending) return <PageLoader />;
  if (viewer.data && viewer.data.kind !== 'ANONYMOUS') {
    return <Navigate replace to={parseReturnUrl(query)} />;
  }
  return (
    <CenteredPage title="Sign in">
      {query.has('ended') && (
        <Alert color="blue" mb="md" title="Your session has ended">
          Sign in again to continue.
        </Alert>
      )}
      <SignInForm />
      <Text size="sm" c="dimmed" mt="lg">
        No account yet? Ask an owner to invite you.
      </Text>
      <Text size="sm" mt="xs">
        <Anchor inherit href={`${MEMBER_PATH}/sign-in`}>
          Members sign in here
        </Anchor>
      </Text>
    </CenteredPage>
  );
}

const SIGN_IN_MUTATION = graphql(`
  mutation SignIn($email: String!, $password: String!) {
    signIn(email: $email, password: $password)
  }
`);

export function SignInForm() {
  const client = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: {
      email: isNotEmpty('Enter your email address'),
      password: isNotEmpty('Enter your password'),
    },
  });
  const signIn = useMutation({
    mutationFn: async (credentials: { email: string; password: string }) => {
      await request(SIGN_IN_MUTATION, credentials);
      await beginSession(client);
    },
    onError: () => form.getInputNode('password')?.focus(),
    gcTime: 0,
  });
  return (
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))} noValidate>
      <Stack>
        {signIn.error && <SignInError key={signIn.submittedAt} error={signIn.error} />}
        <TextInput
          label="Email address"
          type="email"
          autoComplete="username"
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={signIn.isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
