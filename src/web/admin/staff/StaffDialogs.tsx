import { Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DateTime } from '../../components/browser-time.tsx';
import { Confirmation, DialogActions, DialogForm } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { InputField, useInputForm } from '../../components/InputFields.tsx';
import type { FieldViews } from '../../components/input-values.ts';
import { notifySuccess } from '../../components/notify.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { InviteStaffInput, StaffRole } from '../../gql/graphql.ts';
import {
  type StaffUser,
  useDisableStaff,
  useEnableStaff,
  useEndStaffSessions,
  useInviteStaff,
  useResendInvitation,
  useResetStaffPassword,
  useSetStaffRole,
  useStaffSessions,
  useWithdrawInvitation,
} from './queries.ts';

const VIEWS: FieldViews<InviteStaffInput> = {
  name: { label: 'Name', missing: 'Enter a name' },
  email: {
    label: 'Email address',
    description: 'We send a link to choose a password. It works once and expires after three days.',
    type: 'email',
    missing: 'Enter a full email address, such as mona@example.org',
  },
  role: { label: 'Role' },
};

export function InviteStaffForm({ onClose }: { onClose: () => void }) {
  const invite = useInviteStaff(onClose);
  const form = useInputForm('InviteStaffInput', VIEWS, { row: { role: 'FRONT_DESK' } });
  return (
    <DialogForm
      label="Send invitation"
      onSubmit={form.onSubmit((values) => invite.mutate(form.toInput(values)))}
      mutation={invite}
      onCancel={onClose}
    >
      <InputField form={form} name="name" isFirst />
      <InputField form={form} name="email" />
      <RoleField {...form.getFieldProps('role')} />
    </DialogForm>
  );
}

export function ChangeRoleForm({ user, onClose }: { user: StaffUser; onClose: () => void }) {
  const [role, setRole] = useState(user.role);
  const [revokeTokens, setRevokeTokens] = useState(false);
  const change = useSetStaffRole(() => {
    notifySuccess(`Role of ${user.name} changed.`);
    onClose();
  });
  return (
    <DialogForm
      label="Change role"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ id: user.id, role, revokeTokens });
      }}
      mutation={change}
      onCancel={onClose}
      disabled={role === user.role}
    >
      <Text size="sm">
        The new role of <b>{user.name}</b> applies immediately.
      </Text>
      <RoleField label={VIEWS.role.label} value={role} onChange={setRole} />
      {user.activeTokenCount > 0 && (
        <Checkbox
          label={`Also revoke their API keys (${user.activeTokenCount})`}
          description="Otherwise the keys keep their permissions."
          checked={revokeTokens}
          onChange={({ currentTarget }) => setRevokeTokens(currentTarget.checked)}
        />
      )}
    </DialogForm>
  );
}

const ROLE_OPTIONS: { value: StaffRole; label: string; description: string }[] = [
  {
    value: 'FRONT_DESK',
    label: 'Front desk',
    description: 'Bookings, orders, members and check-ins. No settings.',
  },
  {
    value: 'MANAGER',
    label: 'Manager',
    description: 'Everything except staff accounts and API keys with all permissions.',
  },
  { value: 'OWNER', label: 'Owner', description: 'Everything, including staff accounts.' },
];

interface RoleFieldProps {
  label: string;
  value: StaffRole;
  onChange: (role: StaffRole) => void;
}

const RoleField = ({ label, value, onChange }: RoleFieldProps) => (
  <Radio.Group label={label} value={value} onChange={(role) => onChange(role as StaffRole)}>
    <Stack gap="xs" mt="xs">
      {ROLE_OPTIONS.map(({ value, label, description }) => (
        <Radio key={value} value={value} label={label} description={description} />
      ))}
    </Stack>
  </Radio.Group>
);

export function DisableAccountForm({ user, onClose }: { user: StaffUser; onClose: () => void }) {
  const wasDisabled = user.status === 'DISABLED';
  const [revokeTokens, setRevokeTokens] = useState(wasDisabled);
  const disable = useDisableStaff(() => {
    notifySuccess(wasDisabled ? 'API keys revoked.' : `Account of ${user.name} disabled.`);
    onClose();
  });
  return (
    <Stack>
      <FormError error={disable.error} />
      <Text size="sm">
        {wasDisabled ? (
          <>
            The account of <b>{user.name}</b> is disabled.
          </>
        ) : (
          <>
            <b>{user.name}</b> is signed out everywhere and cannot sign in until an owner enables
            the account again. Their webhooks and calendar URLs stop until then.
          </>
        )}
      </Text>
      <Checkbox
        label="Also revoke their API keys"
        description={
          user.activeTokenCount > 0
            ? `Active API keys: ${user.activeTokenCount}. Programs that use them stop working. This cannot be undone.`
            : 'This person has no active API keys.'
        }
        checked={revokeTokens}
        onChange={({ currentTarget }) => setRevokeTokens(currentTarget.checked)}
      />
      <DialogActions
        label={wasDisabled ? 'Revoke API keys' : 'Disable account'}
        color="red"
        disabled={wasDisabled && !revokeTokens}
        onCancel={onClose}
        onConfirm={() => disable.mutate({ id: user.id, revokeTokens })}
        pending={disable.isPending}
      />
    </Stack>
  );
}

interface ConfirmationProps {
  user: StaffUser;
  onClose: () => void;
}

export function ResetPasswordConfirmation({ user, onClose }: ConfirmationProps) {
  const reset = useResetStaffPassword(onClose);
  return (
    <Confirmation
      label="Reset password"
      onCancel={onClose}
      onConfirm={() => reset.mutate(user.id)}
      pending={reset.isPending}
      error={reset.error}
    >
      The password of <b>{user.name}</b> stops working and all sessions end. A link to set a new
      password is sent to {user.email}.
    </Confirmation>
  );
}

/** Shows where a person is signed in, and signs them out. */
export function StaffSessions({ user, onClose }: ConfirmationProps) {
  const sessions = useStaffSessions(user.id);
  const end = useEndStaffSessions(() => notifySuccess(`Signed ${user.name} out.`));
  const endAll = useEndStaffSessions(() => {
    notifySuccess(`Signed ${user.name} out everywhere.`);
    onClose();
  });
  return (
    <QueryBoundary query={sessions}>
      {(list) => (
        <Stack gap="sm">
          <FormError error={end.error ?? endAll.error} />
          {list.length === 0 && <Text size="sm">{user.name} is not signed in anywhere.</Text>}
          {list.map(({ id, browser, createdAt, lastUsedAt }) => (
            <Group key={id} justify="space-between" wrap="nowrap">
              <div>
                <Text size="sm">{browser ?? 'Unknown browser'}</Text>
                <Text size="xs" c="dimmed" component="div">
                  Last used <DateTime at={lastUsedAt ?? createdAt} format="since" />
                </Text>
              </div>
              <Button
                size="xs"
                variant="default"
                onClick={() => end.mutate({ id: user.id, sessionId: id })}
              >
                Sign out
              </Button>
            </Group>
          ))}
          {list.length > 1 && (
            <Button
              color="red"
              variant="light"
              loading={endAll.isPending}
              onClick={() => endAll.mutate({ id: user.id })}
            >
              Sign out everywhere
            </Button>
          )}
        </Stack>
      )}
    </QueryBoundary>
  );
}

export function WithdrawInvitationConfirmation({ user, onClose }: ConfirmationProps) {
  const withdraw = useWithdrawInvitation(() => {
    notifySuccess(`Invitation of ${user.name} withdrawn.`);
    onClose();
  });
  return (
    <Confirmation
      label="Withdraw invitation"
      onCancel={onClose}
      onConfirm={() => withdraw.mutate(user.id)}
      pending={withdraw.isPending}
      error={withdraw.error}
    >
      The link that was sent to <b>{user.email}</b> stops working, and {user.name} is removed from
      this list.
    </Confirmation>
  );
}

export function ResendInvitationConfirmation({ user, onClose }: ConfirmationProps) {
  const resend = useResendInvitation(onClose);
  return (
    <Confirmation
      label="Send invitation"
      isDestructive={false}
      onCancel={onClose}
      onConfirm={() => resend.mutate(user.id)}
      pending={resend.isPending}
      error={resend.error}
    >
      A new link is sent to <b>{user.email}</b>. The previous link stops working.
    </Confirmation>
  );
}

export function EnableAccountConfirmation({ user, onClose }: ConfirmationProps) {
  const enable = useEnableStaff(() => {
    notifySuccess(`${user.name} can sign in again.`);
    onClose();
  });
  return (
    <Confirmation
      label="Enable account"
      isDestructive={false}
      onCancel={onClose}
      onConfirm={() => enable.mutate(user.id)}
      pending={enable.isPending}
      error={enable.error}
    >
      <b>{user.name}</b> can sign in again with the same password and role.
    </Confirmation>
  );
}
