import { Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { type StaffUser, useSetRole } from './queries.ts';
import { RoleField } from './RoleField.tsx';

export function ChangeRole({ user, onClose }: { user: StaffUser; onClose: () => void }) {
  const [role, setRole] = useState(user.role);
  const [revokeTokens, setRevokeTokens] = useState(false);
  const change = useSetRole(() => {
    notifyDone(`The role of ${user.name} is changed.`);
    onClose();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ id: user.id, role, revokeTokens });
      }}
    >
      <Stack>
        <FormFailure error={change.error} />
        <Text size="sm">
          The new role of <b>{user.name}</b> counts at once.
        </Text>
        <RoleField value={role} onChange={setRole} />
        {user.activeTokenCount > 0 && (
          <Checkbox
            label={`Also revoke their API keys (${user.activeTokenCount})`}
            description="Keys keep the permissions that they were created with."
            checked={revokeTokens}
            onChange={({ currentTarget }) => setRevokeTokens(currentTarget.checked)}
          />
        )}
      </Stack>
      <DialogActions
        label="Change role"
        onCancel={onClose}
        pending={change.isPending}
        disabled={role === user.role}
      />
    </form>
  );
}
