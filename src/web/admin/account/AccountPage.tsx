import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { formatRole, useStaffViewer } from '../../app/session/viewer.ts';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { PageHeader, SectionCard } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { UpdateMyAccountInput } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { NotificationSettings } from './NotificationSettings.tsx';
import { SESSIONS_KEY, SessionList } from './SessionList.tsx';

export function Component() {
  const { name, role } = useStaffViewer();
  const account = useAccount();
  return (
    <>
      <PageHeader
        title="Your account"
        description={
          name ? `Signed in as ${name} (${formatRole(role)}).` : `Signed in as ${formatRole(role)}.`
        }
      />
      <Stack maw={720}>
        <QueryBoundary query={account} height={240}>
          {({ mySessions, notificationSettings }) => (
            <>
              <NotificationSettings {...notificationSettings} />
              <SessionList sessions={mySessions} />
            </>
          )}
        </QueryBoundary>
        <ChangeNameForm name={name ?? ''} />
        <ChangePasswordForm />
      </Stack>
    </>
  );
}

const ACCOUNT_QUERY = graphql(`
  query Account {
    mySessions {
      ...MySession
    }
    notificationSettings {
      offlineDisplays
      bookingRequests
    }
  }
`);

const useAccount = () =>
  useQuery({ queryKey: SESSIONS_KEY, queryFn: () => request(ACCOUNT_QUERY) });

const NAME_VIEWS: FieldViews<UpdateMyAccountInput> = {
  name: { label: 'Your name', missing: 'Enter your name' },
};

function ChangeNameForm({ name }: { name: string }) {
  const form = useInputForm('UpdateMyAccountInput', NAME_VIEWS, { row: { name } });
  const change = useChangeName();
  return (
    <SectionCard title="Name" description="Shown to other staff and in the audit log.">
      <form noValidate onSubmit={form.onSubmit((values) => change.mutate(form.toInput(values)))}>
        <Stack maw={420}>
          <FormError error={change.error} />
          <InputField form={form} name="name" autoComplete="name" />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change name
            </Button>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
}

const UPDATE_MY_ACCOUNT_MUTATION = graphql(`
  mutation UpdateMyAccount($input: UpdateMyAccountInput!) {
    updateMyAccount(input: $input) {
      viewer {
        kind
      }
    }
  }
`);

const useChangeName = () =>
  useInvalidatingMutation(
    (input: UpdateMyAccountInput) => request(UPDATE_MY_ACCOUNT_MUTATION, { input }),
    [['viewer'], ['staff']],
    () => notifySuccess('Name changed.'),
  );

const PASSWORD_TOGGLE_PROPS = { 'aria-label': 'Show password' };

export function ChangePasswordForm() {
  const form = useForm({
    initialValues: { current: '', next: '' },
    validate: {
      current: isNotEmpty('Enter your current password'),
      next: isNotEmpty('Choose a new password'),
    },
  });
  const change = useChangePassword(() => {
    form.reset();
    notifySuccess('Password changed. You are signed out everywhere else.');
  });
  return (
    <SectionCard title="Password" description="Changing it signs you out everywhere else.">
      <form noValidate onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack maw={420}>
          <FormError error={change.error} />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            visibilityToggleButtonProps={PASSWORD_TOGGLE_PROPS}
            {...form.getInputProps('current')}
          />
          <PasswordInput
            label="New password"
            description="At least 12 characters. A few unrelated words work well."
            autoComplete="new-password"
            visibilityToggleButtonProps={PASSWORD_TOGGLE_PROPS}
            {...form.getInputProps('next')}
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
}

const CHANGE_PASSWORD_MUTATION = graphql(`
  mutation ChangePassword($current: String!, $next: String!) {
    changePassword(input: { current: $current, next: $next }) {
      viewer {
        kind
      }
    }
  }
`);

const useChangePassword = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: { current: string; next: string }) => request(CHANGE_PASSWORD_MUTATION, input),
    [SESSIONS_KEY],
    onSuccess,
  );
