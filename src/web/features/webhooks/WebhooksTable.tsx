import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { EventNames } from './EventNames.tsx';
import type { Webhook } from './queries.ts';
import { WebhookState } from './WebhookState.tsx';

const columns: Column<Webhook>[] = [
  { header: 'Address', cell: (webhook) => <Address webhook={webhook} /> },
  { header: 'Is told of', cell: ({ events }) => <EventNames names={events} /> },
  { header: 'State', cell: (webhook) => <WebhookState webhook={webhook} /> },
  { header: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} as="day" /> },
];

export const WebhooksTable = ({ webhooks }: { webhooks: Webhook[] }) => (
  <DataTable
    label="Webhooks"
    columns={columns}
    rows={webhooks}
    keyOf={({ id }) => id}
    isEnded={({ disabledAt }) => disabledAt !== null}
  />
);

const Address = ({ webhook: { id, url, description } }: { webhook: Webhook }) => (
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
