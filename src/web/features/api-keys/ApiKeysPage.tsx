import { Button } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconKey, IconPlus } from '../../ui/icons.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { ApiKeysTable } from './ApiKeysTable.tsx';
import { CreateApiKey } from './CreateApiKey.tsx';
import { type ApiKey, useApiKeys } from './queries.ts';
import { RevokeApiKey } from './RevokeApiKey.tsx';
import { RotateApiKey } from './RotateApiKey.tsx';

export function ApiKeysPage() {
  const pages = useApiKeys();
  const creating = useDialog();
  const rotating = useDialog<ApiKey>();
  const revoking = useDialog<ApiKey>();
  const create = (
    <Button leftSection={<IconPlus />} onClick={() => creating.open(true)}>
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
      <PagedList
        pages={pages}
        empty={
          <EmptyState icon={IconKey} title="No keys yet" action={create}>
            Create one for the first program that is to read or write here. Give each program a key
            of its own, so that revoking one stops nothing else.
          </EmptyState>
        }
      >
        {(keys) => <ApiKeysTable keys={keys} onRotate={rotating.open} onRevoke={revoking.open} />}
      </PagedList>
      <Dialog state={creating} title="Create an API key" size="xl">
        {() => <CreateApiKey onClose={creating.close} />}
      </Dialog>
      <Dialog state={rotating} title="Rotate this key">
        {(key) => <RotateApiKey apiKey={key} onClose={rotating.close} />}
      </Dialog>
      <Dialog state={revoking} title="Revoke this key?">
        {(key) => <RevokeApiKey apiKey={key} onClose={revoking.close} />}
      </Dialog>
    </>
  );
}
