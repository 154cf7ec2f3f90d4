import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { toApiError } from '../../api/errors.ts';
import { request } from '../../api/request.ts';
import { ADMIN_PATH, MEMBER_PATH, toServiceUrl } from '../../api/urls.ts';
import { formatBrowserTime, formatTimeUntil, useNow } from '../../components/browser-time.tsx';
import { CenteredPage, PageLoader } from '../../components/PageLayout.tsx';
import { graphql } from '../../gql/index.ts';
import { getMemberText, renderMemberText } from '../../language/member-texts.ts';
import { beginSession } from './session-changes.ts';
import { useLacksMailServer, useSetup } from './setup-query.ts';
import { useLinkSecret } from './use-link-secret.ts';
import { useViewer } from './viewer.ts';

export function StaffSignInPage() {
  const [query] = useSearchParams();
  const viewer = useViewer();
  if (viewer.isPending) return <PageLoader />;
  if (viewer.data && viewer.data.kind !== 'ANONYMOUS') {
    return <Navigate replace to={parseReturnUrl(query)} />;
  }
  return (
    <CenteredPage title="Sign in">
      <SetupNotice />
      <SignInForm />
      <ForgottenPassword />
      <Text size="sm" c="dimmed" mt="xs">
        No account yet? Ask an owner to invite you.
      </Text>
      <Text size="sm" mt="xs">
        <Anchor inherit href={`${MEMBER_PATH}/sign-in`}>
          Sign in as a member
        </Anchor>
      </Text>
    </CenteredPage>
  );
}

/** Without a mail server, only an owner can make a link. */
function ForgottenPassword() {
  const setup = useSetup();
  if (!setup.data) return null;
  return setup.data.hasMailServer ? (
    <Text size="sm" mt="lg">
      <Anchor inherit component={Link} to="/forgot-password">
        Forgot your password?
      </Anchor>
    </Text>
  ) : (
    <Text size="sm" c="dimmed" mt="lg">
      Forgot your password? Ask an owner to make you a link to set a new one.
    </Text>
  );
}

/** Nobody can sign in to a new installation. */
function SetupNotice() {
  const setup = useSetup();
  if (!setup.data?.isOpen) return null;
  return (
    <Alert role="status" mb="md" title="Foyer is not set up yet">
      <Anchor inherit c="var(--mantine-color-text)" href={toServiceUrl('setup')} underline="always">
        Create the first account
      </Anchor>
    </Alert>
  );
}

/** Accepts paths of the panel only, never external URLs. */
function parseReturnUrl(query: URLSearchParams): string {
  const next = query.get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}

const SIGN_IN_MUTATION = graphql(`
  mutation SignIn($email: String!, $password: String!) {
    signIn(input: { email: $email, password: $password }) {
      viewer {
        kind
      }
    }
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

export function MemberSignInPage() {
  const link = useLinkSecret();
  const viewer = useViewer();
  if (viewer.isPending) return <PageLoader />;
  // A sign-in link takes precedence over an existing session.
  const email = parseEmail(link.secret);
  if (link.secret !== null && email === null) {
    return (
      <CenteredPage title={getMemberText('signIn.title')}>
        <RedeemSignInLink secret={link.secret} onRequestNew={link.clear} />
      </CenteredPage>
    );
  }
  if (viewer.data && viewer.data.kind !== 'ANONYMOUS') return <Navigate replace to="/" />;
  return (
    <CenteredPage title={getMemberText('signIn.title')}>
      <SignInLinkForm email={email ?? ''} />
    </CenteredPage>
  );
}

/** The address after the # of the link in a welcome email, which is not a secret. Null for a sign-in link. */
const parseEmail = (fragment: string | null) =>
  fragment?.startsWith('email=') ? new URLSearchParams(fragment).get('email') : null;

const REQUEST_SIGN_IN_LINK_MUTATION = graphql(`
  mutation RequestSignInLink($email: String!) {
    requestSignInLink(input: { email: $email }) {
      email
    }
  }
`);

export function SignInLinkForm({ email }: { email: string }) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email },
    validate: { email: isEmail(getMemberText('signIn.emailMissing')) },
    transformValues: ({ email }) => ({ email: email.trim() }),
  });
  const send = useMutation({
    mutationFn: (values: { email: string }) => request(REQUEST_SIGN_IN_LINK_MUTATION, values),
    gcTime: 0,
  });
  const lacksMailServer = useLacksMailServer();
  if (send.isSuccess)
    return (
      <SignInLinkSent
        email={send.variables.email}
        lacksMailServer={lacksMailServer}
        onBack={send.reset}
      />
    );
  return (
    <form onSubmit={form.onSubmit((values) => send.mutate(values))} noValidate>
      <Stack>
        {send.error && <SignInError key={send.submittedAt} error={send.error} />}
        <Text size="sm">
          {getMemberText(lacksMailServer ? 'signIn.introWithoutMail' : 'signIn.intro')}
        </Text>
        <TextInput
          label={getMemberText('signIn.email')}
          description={getMemberText('signIn.emailHelp')}
          type="email"
          autoComplete="email"
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={send.isPending} fullWidth>
          {getMemberText(lacksMailServer ? 'signIn.requestLink' : 'signIn.sendLink')}
        </Button>
      </Stack>
    </form>
  );
}

function SignInLinkSent({
  email,
  lacksMailServer,
  onBack,
}: {
  email: string;
  lacksMailServer: boolean;
  onBack: () => void;
}) {
  return (
    <Stack>
      {lacksMailServer ? (
        <Alert color="orange" role="status" title={getMemberText('signIn.askStaff')}>
          {renderMemberText('signIn.linkNotSent', { b: (content) => <b>{content}</b> }, { email })}
        </Alert>
      ) : (
        <Alert color="teal" role="status" title={getMemberText('signIn.checkInbox')}>
          {renderMemberText('signIn.linkSent', { b: (content) => <b>{content}</b> }, { email })}
        </Alert>
      )}
      <Button variant="default" onClick={onBack} fullWidth>
        {getMemberText('signIn.otherEmail')}
      </Button>
      <Text size="sm" c="dimmed">
        {renderMemberText('signIn.workHere', {
          a: (content) => (
            <Anchor inherit href={`${ADMIN_PATH}/sign-in`}>
              {content}
            </Anchor>
          ),
        })}
      </Text>
    </Stack>
  );
}

const REDEEM_SIGN_IN_LINK_MUTATION = graphql(`
  mutation RedeemSignInLink($secret: String!) {
    redeemSignInLink(input: { secret: $secret }) {
      viewer {
        kind
      }
    }
  }
`);

interface RedeemSignInLinkProps {
  secret: string;
  onRequestNew: () => void;
}

/** Waits for a click, as email scanners open links and must not use them up. */
function RedeemSignInLink({ secret, onRequestNew }: RedeemSignInLinkProps) {
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
          {getMemberText('signIn.newLink')}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack>
      <Text>{getMemberText('signIn.click')}</Text>
      <Button onClick={() => redeem.mutate()} loading={redeem.isPending} fullWidth autoFocus>
        {getMemberText('signIn.action')}
      </Button>
    </Stack>
  );
}

export function SignInError({ error }: { error: Error }) {
  const { code, message, details } = toApiError(error);
  if (code === 'RATE_LIMITED') {
    return <RateLimitedNotice seconds={details.retryAfterSeconds ?? 60} />;
  }
  return (
    <Alert
      color={code === 'UNAUTHENTICATED' ? 'red' : 'orange'}
      role="alert"
      title={getMemberText('signIn.failed')}
    >
      {message}
    </Alert>
  );
}

function RateLimitedNotice({ seconds }: { seconds: number }) {
  const [until] = useState(() => new Date(Date.now() + seconds * 1000));
  const now = useNow(1);
  return (
    <Alert color="orange" role="alert" title={getMemberText('signIn.tooManyAttempts')}>
      {until <= now
        ? getMemberText('signIn.tryNow')
        : getMemberText('signIn.blocked', {
            time: formatBrowserTime(until),
            wait: formatTimeUntil(until, now),
          })}
    </Alert>
  );
}
