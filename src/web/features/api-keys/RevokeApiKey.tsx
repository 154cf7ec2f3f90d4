import { Code } from '@mantine/core';
import { Confirm } from '../../ui/Confirm.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { type ApiKey, useRevokeApiKey } from './queries.ts';

export function RevokeApiKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useRevokeApiKey(() => {
    notifyDone(`${apiKey.name} is revoked.`);
    onClose();
  });
  return (
    <Confirm
      label="Revoke key"
      onCancel={onClose}
      onConfirm={() => revoke.mutate(apiKey.id)}
      pending={revoke.isPending}
      error={revoke.error}
    >
      Programs that use <b>{apiKey.name}</b> (<Code>{apiKey.prefix}…</Code>) are refused from their
      very next request. Other keys are not affected. This cannot be undone.
    </Confirm>
  );
}
