import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { isEmail, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { request } from '../../api/request.ts';
import { CenteredPage } from '../../components/PageLayout.tsx';
import { graphql } from '../../gql/index.ts';
import { SignInError } from './SignInPages.tsx';
import { useLacksMailServer } from './setup-query.ts';

const REQUEST_PASSWORD_RESET_MUTATION = graphql(`
  mutation RequestPasswordReset($email: String!) {
    requestPasswordReset(input: { email: $email }) {
      email
    }
  }
`);

/** Emails staff a link to set a new password. */
export function Component() {
  const lacksMailServer = useLacksMailServer();
  return (
    <CenteredPage title="Forgot your password?">
      <Stack>
        {lacksMailServer ? (
          <Text size="sm">
            This installation does not send emails. Ask an owner to make you a link to set a new
            password.
          </Text>
        ) : (
          <RequestResetForm />
        )}
        <Anchor component={Link} to="/sign-in" size="sm">
          Back to sign-in
        </Anchor>
      </Stack>
    </CenteredPage>
  );
}

function RequestResetForm() {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: isEmail('Enter your email address') },
    transformValues: ({ email }) => ({ email: email.trim() }),
  });
  const send = useMutation({
    mutationFn: (values: { email: string }) => request(REQUEST_PASSWORD_RESET_MUTATION, values),
    gcTime: 0,
  });
  if (send.isSuccess)
    return (
      <Alert color="teal" role="status" title="Check your inbox">
        If <b>{send.variables.email}</b> belongs to a staff account, you get an email with a link.
        The newest link works for an hour. If no email arrives within a few minutes, ask an owner to
        make you a link.
      </Alert>
    );
  return (
    <form onSubmit={form.onSubmit((values) => send.mutate(values))} noValidate>
      <Stack>
        {send.error && <SignInError key={send.submittedAt} error={send.error} />}
        <Text size="sm">
          We email you a link to set a new password. Your old password works until then.
        </Text>
        <TextInput
          label="Email address"
          description="The one with which you sign in as staff"
          type="email"
          autoComplete="username"
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={send.isPending} fullWidth>
          Email me a link
        </Button>
      </Stack>
    </form>
  );
}
