import { Checkbox, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { FormFailure } from '../../ui/FormFailure.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { type StaffUser, useDisable } from './queries.ts';

export function DisableAccount({ user, onClose }: { user: StaffUser; onClose: () => void }) {
  const wasDisabled = user.status === 'DISABLED';
  const [revokeTokens, setRevokeTokens] = useState(wasDisabled);
  const disable = useDisable(() => {
    notifyDone(
      wasDisabled ? 'The API keys are revoked.' : `The account of ${user.name} is disabled.`,
    );
    onClose();
  });
  return (
    <Stack>
      <FormFailure error={disable.error} />
      <Text size="sm">
        {wasDisabled ? (
          <>
            The account of <b>{user.name}</b> is disabled.
          </>
        ) : (
          <>
            <b>{user.name}</b> is signed out everywhere at once and cannot sign in until an owner
            enables the account again. Webhooks that belong to this person stop until then.
          </>
        )}
      </Text>
      <Checkbox
        label="Also revoke their API keys"
        description={
          user.activeTokenCount > 0
            ? `API keys that work: ${user.activeTokenCount}. Programs that use them stop working. This cannot be undone.`
            : 'This person has no API keys that work.'
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
