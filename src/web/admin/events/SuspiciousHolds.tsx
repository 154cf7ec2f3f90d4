import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DateTime } from '../../components/DateTime.tsx';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/SectionCard.tsx';
import type { HoldsOfEventQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { EVENT_QUERY_KEYS } from './mutations.ts';

const HOLD_KIND_LABELS: Record<HoldGroup['kind'], string> = {
  EMAIL: 'One email address',
  MEMBER: 'One member',
  ADDRESS: 'One internet connection',
  NETWORK: 'One network',
};

const columns: Column<HoldGroup>[] = [
  {
    header: 'Source',
    cell: ({ kind, emails }) => (
      <>
        <Text fw={600} size="sm">
          {HOLD_KIND_LABELS[kind]}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {emails.join(', ')}
        </Text>
      </>
    ),
  },
  { header: 'Tickets', cell: ({ seats }) => <Text size="sm">{seats}</Text> },
  { header: 'Orders', cell: ({ orders }) => <Text size="sm">{orders}</Text> },
  {
    header: 'Waiting list',
    cell: ({ waitlistEntries }) => <Text size="sm">{waitlistEntries}</Text>,
  },
  { header: 'Latest', cell: ({ lastAt }) => <DateTime at={lastAt} format="since" /> },
];

/** Several unpaid orders from one source. Renders nothing if there are none. */
export function SuspiciousHolds({
  event,
  canRelease,
}: {
  event: { id: string };
  canRelease: boolean;
}) {
  const holds = useSuspiciousHolds(event.id);
  const releasing = useDialog<HoldGroup>();
  if (!holds.data?.length) return null;
  const action: Column<HoldGroup> = {
    header: '',
    cell: (group) => (
      <Button
        size="xs"
        variant="light"
        color="red"
        aria-label={`Release ${group.seats} tickets: ${HOLD_KIND_LABELS[group.kind]}`}
        onClick={() => releasing.open(group)}
      >
        Release
      </Button>
    ),
  };
  return (
    <SectionCard
      title="Unpaid and unconfirmed orders from one source"
      description="This can be a script that blocks the event, or a group that orders together. Release what looks suspicious. An order can appear in several groups."
    >
      <DataTable
        label="Unpaid and unconfirmed orders from one source"
        columns={canRelease ? [...columns, action] : columns}
        rows={holds.data}
        getKey={({ key }) => key}
      />
      <Dialog state={releasing} title="Release tickets?">
        {(group) => (
          <ReleaseHoldsConfirmation eventId={event.id} group={group} onClose={releasing.close} />
        )}
      </Dialog>
    </SectionCard>
  );
}

interface ReleaseHoldsProps {
  eventId: string;
  group: HoldGroup;
  onClose: () => void;
}

function ReleaseHoldsConfirmation({
  eventId,
  group: { key, orders, waitlistEntries, seats },
  onClose,
}: ReleaseHoldsProps) {
  const release = useReleaseHolds(() => {
    notifySuccess('Tickets released.');
    onClose();
  });
  return (
    <Confirmation
      label="Release"
      cancelLabel="Keep"
      onCancel={onClose}
      onConfirm={() => release.mutate({ eventId, key })}
      pending={release.isPending}
      error={release.error}
    >
      {orders === 1 ? 'One unpaid order is' : `${orders} unpaid orders are`} cancelled and{' '}
      {waitlistEntries === 1 ? 'one entry leaves' : `${waitlistEntries} entries leave`} the waiting
      list, {seats} {seats === 1 ? 'ticket' : 'tickets'} in total. No emails are sent. Paid orders
      stay. These tickets still count towards the order limits of the people who held them.
    </Confirmation>
  );
}

type HoldGroup = HoldsOfEventQuery['suspiciousHolds'][number];

const HOLDS_REFRESH_INTERVAL_MS = 60_000;

const HOLDS_OF_EVENT_QUERY = graphql(`
  query HoldsOfEvent($eventId: ID!) {
    suspiciousHolds(eventId: $eventId) {
      key
      kind
      orders
      waitlistEntries
      seats
      emails
      lastAt
    }
  }
`);

const RELEASE_HOLDS_MUTATION = graphql(`
  mutation ReleaseHolds($input: ReleaseHoldsInput!) {
    releaseHolds(input: $input) {
      orders
      waitlistEntries
    }
  }
`);

const useSuspiciousHolds = (eventId: string) =>
  useQuery({
    queryKey: ['orders', 'holds', eventId],
    refetchInterval: HOLDS_REFRESH_INTERVAL_MS,
    queryFn: async ({ signal }) =>
      (await request(HOLDS_OF_EVENT_QUERY, { eventId }, signal)).suspiciousHolds,
  });

const useReleaseHolds = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: { eventId: string; key: string }) => request(RELEASE_HOLDS_MUTATION, { input }),
    EVENT_QUERY_KEYS,
    onSuccess,
  );
