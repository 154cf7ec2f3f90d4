import { Button, Code } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { type OverlapOption, SecretRotationForm } from '../../components/SecretRotationForm.tsx';
import { ApiKeysTable } from './ApiKeysTable.tsx';
import { CreateApiKeyForm } from './CreateApiKeyForm.tsx';
import { type ApiKey, useApiKeys, useRevokeApiKey, useRotateApiKey } from './queries.ts';

export function ApiKeysPage() {
  const pages = useApiKeys();
  const creating = useDialog();
  const rotating = useDialog<ApiKey>();
  const revoking = useDialog<ApiKey>();
  const create = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => creating.open(true)}>
      Create a key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description="For programs: a website, a door controller, a spreadsheet. Each has a key of its own, which does only what you allow and can be revoked alone."
        action={pages.rows?.length ? create : null}
      />
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState icon={IconKey} title="No keys yet" action={create}>
            Create one for the first program that is to read or write here. Give each program a key
            of its own, so that revoking one stops nothing else.
          </EmptyState>
        }
      >
        {(keys) => <ApiKeysTable keys={keys} onRotate={rotating.open} onRevoke={revoking.open} />}
      </InfiniteList>
      <Dialog state={creating} title="Create an API key" size="xl">
        {() => <CreateApiKeyForm onClose={creating.close} />}
      </Dialog>
      <Dialog state={rotating} title="Rotate this key">
        {(key) => <RotateApiKeyForm apiKey={key} onClose={rotating.close} />}
      </Dialog>
      <Dialog state={revoking} title="Revoke this key?">
        {(key) => <RevokeApiKeyConfirmation apiKey={key} onClose={revoking.close} />}
      </Dialog>
    </>
  );
}

const OVERLAP_OPTIONS: OverlapOption[] = [
  { hours: 0, description: 'Programs stop working until they have the new one.' },
  { hours: 1 },
  { hours: 24, description: 'Enough time to hand out the new one.' },
  { hours: 168 },
];

export function RotateApiKeyForm({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const rotate = useRotateApiKey(apiKey.id, onClose);
  return (
    <SecretRotationForm
      noun="secret"
      overlaps={OVERLAP_OPTIONS}
      defaultHours={24}
      label="Rotate key"
      rotate={rotate}
      onCancel={onClose}
    >
      <b>{apiKey.name}</b> gets a new secret and may do the same as before.
    </SecretRotationForm>
  );
}

export function RevokeApiKeyConfirmation({
  apiKey,
  onClose,
}: {
  apiKey: ApiKey;
  onClose: () => void;
}) {
  const revoke = useRevokeApiKey(() => {
    notifySuccess(`${apiKey.name} is revoked.`);
    onClose();
  });
  return (
    <Confirmation
      label="Revoke key"
      onCancel={onClose}
      onConfirm={() => revoke.mutate(apiKey.id)}
      pending={revoke.isPending}
      error={revoke.error}
    >
      Programs that use <b>{apiKey.name}</b> (<Code>{apiKey.prefix}…</Code>) are refused from their
      very next request. Other keys are not affected. This cannot be undone.
    </Confirmation>
  );
}
