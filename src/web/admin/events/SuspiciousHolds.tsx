import { Button, Text } from '@mantine/core';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { request } from '../../api/request.ts';
import { DateTime } from '../../components/browser-time.tsx';
import { type Column, DataTable, NameCell } from '../../components/DataTable.tsx';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import type { SuspiciousHoldFragment } from '../../gql/graphql.ts';
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
      <NameCell name={HOLD_KIND_LABELS[kind]} details={emails.join(', ')} />
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

interface SuspiciousHoldsProps {
  event: { id: string };
  holds: HoldGroup[];
  canRelease: boolean;
}

/** Lists sources with several unpaid orders. Renders nothing if there are none. */
export function SuspiciousHolds({ event, holds, canRelease }: SuspiciousHoldsProps) {
  const releasing = useDialog<HoldGroup>();
  if (holds.length === 0) return null;
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
      description="Someone may be blocking tickets, or a group may be ordering together. Release what looks suspicious. An order can appear in several groups."
    >
      <DataTable
        label="Unpaid and unconfirmed orders from one source"
        columns={canRelease ? [...columns, action] : columns}
        rows={holds}
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

type HoldGroup = SuspiciousHoldFragment;

graphql(`
  fragment SuspiciousHold on HoldGroup {
    key
    kind
    orders
    waitlistEntries
    seats
    emails
    lastAt
  }
`);

const RELEASE_HOLDS_MUTATION = graphql(`
  mutation ReleaseHolds($input: ReleaseHoldsInput!) {
    releaseHolds(input: $input) {
      orderCount
      waitlistEntryCount
    }
  }
`);

const useReleaseHolds = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (input: { eventId: string; key: string }) => request(RELEASE_HOLDS_MUTATION, { input }),
    EVENT_QUERY_KEYS,
    onSuccess,
  );
