import { Anchor, Button, Code } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { toServiceUrl } from '../../api/urls.ts';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
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
        description={
          <>
            Connect a website, a door controller or a spreadsheet. Each key has its own permissions
            and can be revoked on its own. Try requests in the{' '}
            <Anchor href={toServiceUrl('graphiql')}>API explorer</Anchor>.
          </>
        }
        action={pages.rows?.length ? create : null}
      />
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState icon={IconKey} title="No API keys yet" action={create}>
            Create a key for each program that uses the API. You can then revoke one without
            breaking the others.
          </EmptyState>
        }
      >
        {(keys) => <ApiKeysTable keys={keys} onRotate={rotating.open} onRevoke={revoking.open} />}
      </InfiniteList>
      <Dialog state={creating} title="Create an API key" size="xl">
        {() => <CreateApiKeyForm onClose={creating.close} />}
      </Dialog>
      <Dialog state={rotating} title="Rotate key">
        {(key) => <RotateApiKeyForm apiKey={key} onClose={rotating.close} />}
      </Dialog>
      <Dialog state={revoking} title="Revoke key?">
        {(key) => <RevokeApiKeyConfirmation apiKey={key} onClose={revoking.close} />}
      </Dialog>
    </>
  );
}

const OVERLAP_OPTIONS: OverlapOption[] = [
  { hours: 0, description: 'Programs stop working until they use the new key.' },
  { hours: 1 },
  { hours: 24, description: 'Leaves time to update every program.' },
  { hours: 168 },
];

function RotateApiKeyForm({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
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
      <b>{apiKey.name}</b> gets a new secret with the same permissions.
    </SecretRotationForm>
  );
}

function RevokeApiKeyConfirmation({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useRevokeApiKey(() => {
    notifySuccess(`${apiKey.name} revoked.`);
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
      Programs that use <b>{apiKey.name}</b> (<Code>{apiKey.prefix}…</Code>) lose access
      immediately. Other keys keep working. This cannot be undone.
    </Confirmation>
  );
}
