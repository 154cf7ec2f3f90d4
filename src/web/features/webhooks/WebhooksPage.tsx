import { Button } from '@mantine/core';
import { may, useStaff } from '../../session/viewer.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconPlus, IconWebhook } from '../../ui/icons.tsx';
import { PagedList } from '../../ui/PagedList.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { CreateWebhook } from './CreateWebhook.tsx';
import { useWebhooks } from './queries.ts';
import { WebhooksTable } from './WebhooksTable.tsx';

export function WebhooksPage() {
  const mayChange = may(useStaff(), 'webhooks:write');
  const pages = useWebhooks();
  const creating = useDialog();
  const create = mayChange && (
    <Button leftSection={<IconPlus />} onClick={() => creating.open(true)}>
      Add a webhook
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Addresses of other programs that are told at once what happens here, by signed messages."
        action={pages.rows?.length ? create : null}
      />
      <PagedList
        pages={pages}
        empty={
          <EmptyState icon={IconWebhook} title="No webhooks yet" action={create}>
            They save other programs from asking again and again: a chat hears that a display is
            offline, a door that somebody came in, a spreadsheet or an accounting system that a room
            was booked.
          </EmptyState>
        }
      >
        {(webhooks) => <WebhooksTable webhooks={webhooks} />}
      </PagedList>
      <Dialog state={creating} title="Add a webhook" size="xl">
        {() => <CreateWebhook onClose={creating.close} />}
      </Dialog>
    </>
  );
}
