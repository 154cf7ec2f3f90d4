import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { formatRole } from '../../app/session/viewer.ts';
import { DateTime, useNow } from '../../components/browser-time.tsx';
import { type Column, DataTable, isAnyAllowed, NameCell } from '../../components/DataTable.tsx';
import { StatusBadge } from '../../components/PageLayout.tsx';
import { capitalize } from '../../components/text.ts';
import type { StaffUser } from './queries.ts';

export type StaffAction = keyof StaffUser['allowedActions'];

interface Props {
  users: StaffUser[];
  onAction: (action: StaffAction, user: StaffUser) => void;
}

const columns: Column<StaffUser>[] = [
  {
    header: 'Name',
    cell: ({ name, email, isYou }) => (
      <NameCell name={isYou ? `${name} (you)` : name} details={email} />
    ),
  },
  { header: 'Role', cell: ({ role }) => <Text size="sm">{capitalize(formatRole(role))}</Text> },
  { header: 'Status', cell: (user) => <StaffStatusCell user={user} /> },
  {
    header: 'Last active',
    cell: ({ lastActiveAt }) => (
      <Text size="sm">
        {lastActiveAt ? <DateTime at={lastActiveAt} format="since" /> : 'Never'}
      </Text>
    ),
  },
];

export const StaffTable = ({ users, onAction }: Props) => (
  <DataTable
    label="Staff"
    columns={columns}
    rows={users}
    getKey={({ id }) => id}
    isEnded={({ status }) => status === 'DISABLED'}
    actions={(user) =>
      isAnyAllowed(user.allowedActions) && (
        <StaffActions user={user} onAction={(action) => onAction(action, user)} />
      )
    }
  />
);

const ACTIONS: { action: StaffAction; label: string; isDestructive?: true }[] = [
  { action: 'resendInvitation', label: 'Resend invitation' },
  { action: 'enable', label: 'Enable account' },
  { action: 'setRole', label: 'Change role' },
  { action: 'resetPassword', label: 'Reset password' },
  { action: 'endSessions', label: 'Sessions' },
  { action: 'disable', label: 'Disable account', isDestructive: true },
  { action: 'revokeTokens', label: 'Revoke API keys', isDestructive: true },
  { action: 'withdrawInvitation', label: 'Withdraw invitation', isDestructive: true },
];

function StaffActions(props: { user: StaffUser; onAction: (action: StaffAction) => void }) {
  const { user, onAction } = props;
  return (
    <Menu position="bottom-end" width={220} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          rightSection={<IconChevronDown size={14} />}
          aria-label={`Change ${user.name}`}
        >
          Change
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {ACTIONS.filter(({ action }) => user.allowedActions[action]).map(
          ({ action, label, isDestructive }) => (
            <Menu.Item
              key={action}
              {...(isDestructive ? { color: 'red' } : {})}
              onClick={() => onAction(action)}
            >
              {label}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const STATUS_LABELS: Record<StaffUser['status'], [color: string, label: string]> = {
  ACTIVE: ['teal', 'Active'],
  INVITED: ['yellow', 'Invited'],
  DISABLED: ['red', 'Disabled'],
};

function StaffStatusCell({ user }: { user: StaffUser }) {
  const [color, label] = STATUS_LABELS[user.status];
  return (
    <>
      <StatusBadge color={color}>{label}</StatusBadge>
      <Text size="xs" c="dimmed" mt={4} component="div">
        <StaffStatusDetails user={user} />
      </Text>
    </>
  );
}

function StaffStatusDetails({
  user: { status, disabledAt, linkExpiresAt, activeTokenCount },
}: {
  user: StaffUser;
}) {
  const now = useNow(60);
  if (status === 'DISABLED') {
    return (
      <>
        {disabledAt && <DateTime at={disabledAt} format="day" />}
        {activeTokenCount > 0 && `, ${activeTokenCount} active API keys`}
      </>
    );
  }
  if (linkExpiresAt === null) return status === 'INVITED' && 'The link has expired';
  const label = status === 'INVITED' ? 'The link' : 'The password link';
  if (new Date(linkExpiresAt) <= now) return `${label} has expired`;
  return (
    <>
      {label} expires <DateTime at={linkExpiresAt} format="until" />
    </>
  );
}
