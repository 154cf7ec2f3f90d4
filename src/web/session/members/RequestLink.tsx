import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { isEmail, useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import { PANEL_PATH } from '../../api/urls.ts';
import { graphql } from '../../gql/index.ts';
import { SignInFailure } from '../SignInFailure.tsx';

const REQUEST = graphql(`
  mutation RequestSignInLink($email: String!) {
    requestSignInLink(email: $email)
  }
`);

export function RequestLink() {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: isEmail('Type your e-mail address') },
    transformValues: ({ email }) => ({ email: email.trim() }),
  });
  const ask = useMutation({
    mutationFn: (values: { email: string }) => request(REQUEST, values),
    gcTime: 0,
  });
  if (ask.isSuccess) return <LinkIsOnItsWay email={ask.variables.email} onBack={ask.reset} />;
  return (
    <form onSubmit={form.onSubmit((values) => ask.mutate(values))} noValidate>
      <Stack>
        {ask.error && <SignInFailure key={ask.submittedAt} error={ask.error} />}
        <Text size="sm">
          Members need no password: we send you a link that signs you in, once, for a quarter of an
          hour.
        </Text>
        <TextInput
          label="E-mail address"
          description="The one that the space knows you by"
          type="email"
          autoComplete="email"
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={ask.isPending} fullWidth>
          Send me a link
        </Button>
        <Text size="sm" c="dimmed">
          You work here?{' '}
          <Anchor inherit href={`${PANEL_PATH}/sign-in`}>
            Staff sign in here
          </Anchor>
        </Text>
      </Stack>
    </form>
  );
}

function LinkIsOnItsWay({ email, onBack }: { email: string; onBack: () => void }) {
  return (
    <Stack>
      <Alert color="teal" role="status" title="Look into your mailbox">
        If <b>{email}</b> is the address of a member, a link is on its way. It may take a minute;
        look among the unwanted mail, too.
      </Alert>
      <Button variant="default" onClick={onBack} fullWidth>
        Use another address
      </Button>
    </Stack>
  );
}
