import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { isEmail, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from 'react-router';
import { request } from '../../api/request.ts';
import { ADMIN_PATH } from '../../api/urls.ts';
import { CenteredPage, PageLoader } from '../../components/CenteredPage.tsx';
import { graphql } from '../../gql/index.ts';
import { SignInError } from './SignInError.tsx';
import { useLinkSecret } from './use-link-secret.ts';
import { beginSession, useViewer } from './viewer.ts';

export function Component() {
  const link = useLinkSecret();
  const viewer = useViewer();
  if (viewer.isPending) return <PageLoader />;
  // A link takes precedence over an existing session.
  if (link.secret !== null) {
    return (
      <CenteredPage title="Sign in">
        <RedeemSignInLink secret={link.secret} onRequestNew={link.clear} />
      </CenteredPage>
    );
  }
  if (viewer.data && viewer.data.kind !== 'ANONYMOUS') return <Navigate replace to="/" />;
  return (
    <CenteredPage title="Sign in">
      <SignInLinkForm />
    </CenteredPage>
  );
}

const REQUEST_SIGN_IN_LINK_MUTATION = graphql(`
  mutation RequestSignInLink($email: String!) {
    requestSignInLink(email: $email)
  }
`);

export function SignInLinkForm() {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: isEmail('Enter your email address') },
    transformValues: ({ email }) => ({ email: email.trim() }),
  });
  const ask = useMutation({
    mutationFn: (values: { email: string }) => request(REQUEST_SIGN_IN_LINK_MUTATION, values),
    gcTime: 0,
  });
  if (ask.isSuccess) return <SignInLinkSent email={ask.variables.email} onBack={ask.reset} />;
  return (
    <form onSubmit={form.onSubmit((values) => ask.mutate(values))} noValidate>
      <Stack>
        {ask.error && <SignInError key={ask.submittedAt} error={ask.error} />}
        <Text size="sm">
          Members need no password. We email you a sign-in link that works once and expires after 15
          minutes.
        </Text>
        <TextInput
          label="Email address"
          description="The address of your membership"
          type="email"
          autoComplete="email"
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={ask.isPending} fullWidth>
          Send sign-in link
        </Button>
        <Text size="sm" c="dimmed">
          Work here?{' '}
          <Anchor inherit href={`${ADMIN_PATH}/sign-in`}>
            Staff sign in here
          </Anchor>
        </Text>
      </Stack>
    </form>
  );
}

function SignInLinkSent({ email, onBack }: { email: string; onBack: () => void }) {
  return (
    <Stack>
      <Alert color="teal" role="status" title="Check your inbox">
        If <b>{email}</b> belongs to a member, a sign-in link is on its way. It can take a minute.
        Check your spam folder too.
      </Alert>
      <Button variant="default" onClick={onBack} fullWidth>
        Use a different address
      </Button>
    </Stack>
  );
}

const REDEEM_SIGN_IN_LINK_MUTATION = graphql(`
  mutation RedeemSignInLink($secret: String!) {
    redeemSignInLink(secret: $secret)
  }
`);

interface Props {
  secret: string;
  onRequestNew: () => void;
}

/** Asks for a click, as email scanners open links and must not consume this one. */
export function RedeemSignInLink({ secret, onRequestNew }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const redeem = useMutation({
    mutationFn: async () => {
      await request(REDEEM_SIGN_IN_LINK_MUTATION, { secret });
      await beginSession(client);
    },
    onSuccess: () => navigate('/', { replace: true }),
    gcTime: 0,
  });
  if (redeem.error) {
    return (
      <Stack>
        <SignInError key={redeem.submittedAt} error={redeem.error} />
        <Button onClick={onRequestNew} fullWidth>
          Request a new link
        </Button>
      </Stack>
    );
  }
  return (
    <Stack>
      <Text>Click to sign in.</Text>
      <Button onClick={() => redeem.mutate()} loading={redeem.isPending} fullWidth autoFocus>
        Sign in
      </Button>
    </Stack>
  );
}
