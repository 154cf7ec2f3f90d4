import { Button, Code, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import type { PagedQuery } from '../../api/paged-query.ts';
import { DateTime, formatBrowserDateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { FormError } from '../../components/ErrorAlerts.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { DescriptionList, SectionCard, StatusBadge } from '../../components/PageLayout.tsx';
import { InfiniteList, QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { WebhookDeliveryState } from '../../gql/graphql.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  type FullDelivery,
  useDelivery,
  useReplayDelivery,
} from './delivery-queries.ts';

const ALL_STATES = 'ALL';
const STATE_OPTIONS = [
  { value: ALL_STATES, label: 'All' },
  { value: 'WAITING', label: 'Waiting' },
  { value: 'FAILED', label: 'Failed' },
  { value: 'DELIVERED', label: 'Delivered' },
];

const createColumns = (isDisabled: boolean): Column<Delivery>[] => [
  {
    header: 'Event',
    cell: ({ type }) => (
      <Text fw={600} size="sm">
        {type}
      </Text>
    ),
  },
  {
    header: 'Status',
    cell: (delivery) => <DeliveryState delivery={delivery} isDisabled={isDisabled} />,
  },
  { header: 'Attempts', cell: ({ attemptCount }) => attemptCount },
  { header: 'Time', cell: ({ createdAt }) => <DateTime at={createdAt} format="since" /> },
];

interface DeliveryLogProps {
  pages: PagedQuery<Delivery>;
  /** The filter. Null means any state. */
  state: WebhookDeliveryState | null;
  onState: (state: WebhookDeliveryState | null) => void;
  isDisabled: boolean;
}

export function DeliveryLog({ pages, state, onState, isDisabled }: DeliveryLogProps) {
  const viewing = useDialog<Delivery>();
  return (
    <SectionCard
      title="Deliveries"
      description="Messages from the last 30 days. This list updates automatically."
    >
      <SegmentedControl
        aria-label="Filter deliveries"
        size="xs"
        mb="sm"
        data={STATE_OPTIONS}
        value={state ?? ALL_STATES}
        onChange={(value) => onState(value === ALL_STATES ? null : (value as WebhookDeliveryState))}
      />
      <InfiniteList
        pages={pages}
        empty={
          <Text size="sm" c="dimmed">
            {state === null
              ? 'No deliveries yet. Send a test to check the connection.'
              : 'No matching deliveries.'}
          </Text>
        }
      >
        {(deliveries) => (
          <DataTable
            label="Deliveries"
            columns={createColumns(isDisabled)}
            rows={deliveries}
            getKey={({ id }) => id}
            actions={(delivery) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`View ${delivery.type}, ${formatBrowserDateTime(new Date(delivery.createdAt))}`}
                onClick={() => viewing.open(delivery)}
              >
                View
              </Button>
            )}
          />
        )}
      </InfiniteList>
      <Dialog state={viewing} title={viewing.subject?.type ?? 'Delivery'} size="lg">
        {(opened) => (
          <DeliveryDetails id={opened.id} isDisabled={isDisabled} onClose={viewing.close} />
        )}
      </Dialog>
    </SectionCard>
  );
}

interface DeliveryDetailsProps {
  isDisabled: boolean;
  onClose: () => void;
}

const DeliveryDetails = ({ id, ...props }: DeliveryDetailsProps & { id: string }) => (
  <QueryBoundary query={useDelivery(id)} height={320}>
    {(delivery) => <DeliveryContent delivery={delivery} {...props} />}
  </QueryBoundary>
);

function DeliveryContent({
  delivery,
  isDisabled,
  onClose,
}: DeliveryDetailsProps & { delivery: FullDelivery }) {
  const replay = useReplayDelivery(() => {
    notifySuccess('Sending again with the same webhook-id.');
    onClose();
  });
  const { id, messageId, createdAt, attempts, body, allowedActions } = delivery;
  return (
    <Stack>
      <FormError error={replay.error} />
      <DescriptionList
        items={[
          ['Status', <DeliveryState key="state" delivery={delivery} isDisabled={isDisabled} />],
          ['Time', <DateTime key="created" at={createdAt} format="since" />],
          ['webhook-id', messageId],
        ]}
      />
      <Title order={3} size="h6">
        Attempts
      </Title>
      <AttemptList attempts={attempts} />
      <Title order={3} size="h6">
        Message
      </Title>
      {body === null ? (
        <Text size="sm" c="dimmed">
          You do not have permission to see this message.
        </Text>
      ) : (
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {JSON.stringify(JSON.parse(body), null, 2)}
        </Code>
      )}
      <Group justify="flex-end">
        {isDisabled && (
          <Text size="sm" c="dimmed">
            Enable the webhook to resend this message.
          </Text>
        )}
        {allowedActions.replay && (
          <Button loading={replay.isPending} onClick={() => replay.mutate(id)}>
            Resend
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Newest first. */
function AttemptList({ attempts }: { attempts: DeliveryAttempt[] }) {
  if (attempts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No attempts yet.
      </Text>
    );
  }
  return (
    <Stack component="ol" aria-label="Attempts" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {attempts.map((attempt) => (
        <li key={attempt.at}>
          <StatusBadge color={attempt.error === null ? 'teal' : 'red'}>
            {attempt.status === null ? 'No response' : `Responded ${attempt.status}`}
          </StatusBadge>
          <Text component="span" size="sm" c="dimmed" ml="xs">
            <time dateTime={attempt.at}>{formatBrowserDateTime(new Date(attempt.at))}</time>,{' '}
            {attempt.durationMs} ms
          </Text>
          {hasUsefulError(attempt) && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {attempt.error}
            </Text>
          )}
        </li>
      ))}
    </Stack>
  );
}

/** An error that only repeats the status is not worth a line. */
const hasUsefulError = ({ error, status }: DeliveryAttempt) =>
  error !== null && error !== `The endpoint responded with ${status}.`;

const DELIVERY_STATE_LABELS: Record<WebhookDeliveryState, [color: string, label: string]> = {
  DELIVERED: ['teal', 'Delivered'],
  WAITING: ['yellow', 'Waiting'],
  FAILED: ['red', 'Failed'],
};

interface DeliveryStateProps {
  delivery: Delivery;
  /** Whether the webhook is disabled, so that nothing is sent. */
  isDisabled: boolean;
}

function DeliveryState({ delivery, isDisabled }: DeliveryStateProps) {
  const [color, label] = DELIVERY_STATE_LABELS[delivery.state];
  return (
    <>
      <StatusBadge color={color}>{label}</StatusBadge>
      <Text
        component="div"
        size="xs"
        c="dimmed"
        mt={4}
        maw={320}
        style={{ overflowWrap: 'anywhere' }}
      >
        <DeliveryStateDetail delivery={delivery} isDisabled={isDisabled} />
      </Text>
    </>
  );
}

function DeliveryStateDetail({ delivery, isDisabled }: DeliveryStateProps) {
  const { state, deliveredAt, nextAttemptAt, attemptCount } = delivery;
  if (state === 'DELIVERED') return deliveredAt && <DateTime at={deliveredAt} format="since" />;
  const error = attemptCount > 0 && delivery.attempts[0]?.error;
  if (state === 'FAILED') return error || 'No further attempts.';
  return (
    <>
      {error && <div>{error}</div>}
      {isDisabled && 'Paused until the webhook is enabled'}
      {!isDisabled && nextAttemptAt && attemptCount > 0 && (
        <>
          Next attempt <DateTime at={nextAttemptAt} format="until" />
        </>
      )}
    </>
  );
}
