import { Anchor, Button, Text } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DateTime } from '../../components/DateTime.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { InfiniteList } from '../../components/InfiniteList.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { useCreateWebhook, useWebhooks, type Webhook } from './queries.ts';
import { EventBadges, WebhookStatus } from './WebhookBadges.tsx';
import { WebhookForm } from './WebhookForm.tsx';
import { toWebhookInput } from './webhook-form-values.ts';

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
            Notify other programs instead of letting them poll: tell a chat that a display is
            offline, a door that someone checked in, or your accounting that a room was booked.
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
  { header: 'URL', cell: (webhook) => <WebhookAddress webhook={webhook} /> },
  { header: 'Events', cell: ({ events }) => <EventBadges names={events} /> },
  { header: 'Status', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  { header: 'Created', cell: ({ createdAt }) => <DateTime at={createdAt} format="day" /> },
];

export const WebhooksTable = ({ webhooks }: { webhooks: Webhook[] }) => (
  <DataTable
    label="Webhooks"
    columns={columns}
    rows={webhooks}
    getKey={({ id }) => id}
    isEnded={({ disabledAt }) => disabledAt !== null}
  />
);

const WebhookAddress = ({ webhook: { id, url, description } }: { webhook: Webhook }) => (
  <>
    <Anchor
      component={Link}
      to={`/settings/webhooks/${id}`}
      size="sm"
      fw={600}
      style={{ overflowWrap: 'anywhere' }}
    >
      {url}
    </Anchor>
    {description && (
      <Text size="xs" c="dimmed">
        {description}
      </Text>
    )}
  </>
);

export function CreateWebhookForm({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const create = useCreateWebhook(({ id }) => {
    onClose();
    navigate(`/settings/webhooks/${id}`);
  });
  return (
    <WebhookForm
      label="Add webhook"
      save={(values) => create.mutate(toWebhookInput(values))}
      pending={create.isPending}
      error={create.error}
      onClose={onClose}
    />
  );
}
