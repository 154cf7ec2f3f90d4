import { Button } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable, NameCell } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState, PageHeader } from '../../components/PageLayout.tsx';
import { InfiniteList } from '../../components/QueryBoundary.tsx';
import { useCreateWebhook, useWebhooks, type Webhook } from './queries.ts';
import { EventBadges, WebhookStatus } from './WebhookBadges.tsx';
import { WebhookForm } from './WebhookForm.tsx';

export function WebhooksPage() {
  const canChange = can(useStaffViewer(), 'webhooks:write');
  const pages = useWebhooks();
  const creating = useDialog();
  const create = canChange && (
    <Button leftSection={<IconPlus size={18} />} onClick={() => creating.open(true)}>
      Add a webhook
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Send signed messages to other programs when something happens here."
        action={pages.rows?.length ? create : null}
      />
      <InfiniteList
        pages={pages}
        empty={
          <EmptyState icon={IconWebhook} title="No webhooks yet" action={create}>
            Notify other programs as things happen: post to your team chat when a display goes
            offline, or update your accounting when a room is booked.
          </EmptyState>
        }
      >
        {(webhooks) => <WebhooksTable webhooks={webhooks} />}
      </InfiniteList>
      <Dialog state={creating} title="Add a webhook" size="xl">
        {() => <CreateWebhookForm onClose={creating.close} />}
      </Dialog>
    </>
  );
}

const columns: Column<Webhook>[] = [
  {
    header: 'URL',
    cell: ({ id, url, description }) => (
      <NameCell name={url} to={`/settings/webhooks/${id}`} details={description} />
    ),
  },
  { header: 'Events', cell: ({ events }) => <EventBadges names={events} /> },
  { header: 'Status', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  { header: 'Created', cell: ({ createdAt }) => <DateTime at={createdAt} format="day" /> },
];

const WebhooksTable = ({ webhooks }: { webhooks: Webhook[] }) => (
  <DataTable
    label="Webhooks"
    columns={columns}
    rows={webhooks}
    getKey={({ id }) => id}
    isEnded={({ disabledAt }) => disabledAt !== null}
  />
);

function CreateWebhookForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCreateWebhook(({ id }) => {
    onClose();
    navigate(`/settings/webhooks/${id}`);
  });
  return (
    <WebhookForm
      label="Add webhook"
      mutation={create}
      onSave={(input) => create.mutate(input)}
      onClose={onClose}
    />
  );
}
