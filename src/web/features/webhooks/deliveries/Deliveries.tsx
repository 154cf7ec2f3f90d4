import { Button, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { WebhookDeliveryState } from '../../../gql/graphql.ts';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Moment } from '../../../ui/Moment.tsx';
import { PagedList } from '../../../ui/PagedList.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { momentOf } from '../../../ui/time-words.ts';
import { useDialog } from '../../../ui/use-dialog.ts';
import type { Webhook } from '../queries.ts';
import { DeliveryState } from './DeliveryState.tsx';
import { type Delivery, useDeliveries } from './queries.ts';
import { ReadDelivery } from './ReadDelivery.tsx';

const ALL = 'ALL';
const STATES = [
  { value: ALL, label: 'All' },
  { value: 'WAITING', label: 'Waiting' },
  { value: 'FAILED', label: 'Failed' },
  { value: 'DELIVERED', label: 'Delivered' },
];

const columnsFor = (isDisabled: boolean): Column<Delivery>[] => [
  {
    header: 'Event',
    cell: ({ type }) => (
      <Text fw={600} size="sm">
        {type}
      </Text>
    ),
  },
  {
    header: 'State',
    cell: (delivery) => <DeliveryState delivery={delivery} isDisabled={isDisabled} />,
  },
  { header: 'Attempts', cell: ({ attemptCount }) => attemptCount },
  { header: 'Happened', cell: ({ createdAt }) => <Moment at={createdAt} as="since" /> },
];

export function Deliveries({ webhook, mayChange }: { webhook: Webhook; mayChange: boolean }) {
  const [state, setState] = useState<WebhookDeliveryState | null>(null);
  const pages = useDeliveries(webhook.id, state);
  const reading = useDialog<Delivery>();
  const isDisabled = webhook.disabledAt !== null;
  return (
    <Panel
      title="Log"
      description="What it was told. Kept for 30 days; new lines appear by themselves."
    >
      <SegmentedControl
        aria-label="Which deliveries"
        size="xs"
        mb="sm"
        data={STATES}
        value={state ?? ALL}
        onChange={(value) => setState(value === ALL ? null : (value as WebhookDeliveryState))}
      />
      <PagedList
        pages={pages}
        empty={
          <Text size="sm" c="dimmed">
            {state === null
              ? 'Nothing yet. Send a test to see whether it is reached.'
              : 'There are no such deliveries.'}
          </Text>
        }
      >
        {(deliveries) => (
          <DataTable
            label="Deliveries"
            columns={columnsFor(isDisabled)}
            rows={deliveries}
            keyOf={({ id }) => id}
            actions={(delivery) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`Look at ${delivery.type}, ${momentOf(new Date(delivery.createdAt))}`}
                onClick={() => reading.open(delivery)}
              >
                Look
              </Button>
            )}
          />
        )}
      </PagedList>
      <Dialog state={reading} title={reading.subject?.type ?? 'Delivery'} size="lg">
        {(opened) => (
          <ReadDelivery
            id={opened.id}
            isDisabled={isDisabled}
            mayReplay={mayChange}
            onClose={reading.close}
          />
        )}
      </Dialog>
    </Panel>
  );
}
