import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../api/request.ts';
import { graphql } from '../gql/index.ts';
import { SignInFailure } from './SignInFailure.tsx';
import { beginSession } from './viewer.ts';

const SIGN_IN = graphql(`
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
      email: isNotEmpty('Type your e-mail address'),
      password: isNotEmpty('Type your password'),
    },
  });
  const signIn = useMutation({
    mutationFn: async (credentials: { email: string; password: string }) => {
      await request(SIGN_IN, credentials);
      await beginSession(client);
    },
    onError: () => form.getInputNode('password')?.focus(),
    gcTime: 0,
  });
  return (
    <form onSubmit={form.onSubmit((values) => signIn.mutate(values))} noValidate>
      <Stack>
        {signIn.error && <SignInFailure key={signIn.submittedAt} error={signIn.error} />}
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
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
