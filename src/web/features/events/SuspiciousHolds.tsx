import { Button, Text } from '@mantine/core';
import { Confirm } from '../../ui/Confirm.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Panel } from '../../ui/Panel.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { type HoldGroup, useHolds, useReleaseHolds } from './hold-queries.ts';

const KINDS: Record<HoldGroup['kind'], string> = {
  EMAIL: 'One e-mail address',
  MEMBER: 'One member',
  ADDRESS: 'One internet connection',
  NETWORK: 'One network',
};

const columns: Column<HoldGroup>[] = [
  {
    header: 'From',
    cell: ({ kind, emails }) => (
      <>
        <Text fw={600} size="sm">
          {KINDS[kind]}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {emails.join(', ')}
        </Text>
      </>
    ),
  },
  { header: 'Places', cell: ({ seats }) => <Text size="sm">{seats}</Text> },
  { header: 'Orders', cell: ({ orders }) => <Text size="sm">{orders}</Text> },
  { header: 'Waiting', cell: ({ waitlistEntries }) => <Text size="sm">{waitlistEntries}</Text> },
  { header: 'Last', cell: ({ lastAt }) => <Moment at={lastAt} as="since" /> },
];

/** Several unpaid orders that come from one place. There is nothing to see as long as there are none. */
export function SuspiciousHolds({
  event,
  mayRelease,
}: {
  event: { id: string };
  mayRelease: boolean;
}) {
  const holds = useHolds(event.id);
  const releasing = useDialog<HoldGroup>();
  if (!holds.data?.length) return null;
  const action: Column<HoldGroup> = {
    header: '',
    cell: (group) => (
      <Button
        size="xs"
        variant="light"
        color="red"
        aria-label={`Release ${group.seats} places: ${KINDS[group.kind]}`}
        onClick={() => releasing.open(group)}
      >
        Release
      </Button>
    ),
  };
  return (
    <Panel
      title="Unpaid and unconfirmed orders from one source"
      description="A script that blocks the event looks like this, and so does a school class that orders together. Release what you do not trust. One order can be in several groups."
    >
      <DataTable
        label="Unpaid and unconfirmed orders from one source"
        columns={mayRelease ? [...columns, action] : columns}
        rows={holds.data}
        keyOf={({ key }) => key}
      />
      <Dialog state={releasing} title="Release these places?">
        {(group) => <Release eventId={event.id} group={group} onClose={releasing.close} />}
      </Dialog>
    </Panel>
  );
}

interface ReleaseProps {
  eventId: string;
  group: HoldGroup;
  onClose: () => void;
}

function Release({
  eventId,
  group: { key, orders, waitlistEntries, seats },
  onClose,
}: ReleaseProps) {
  const release = useReleaseHolds(() => {
    notifyDone('The places are released.');
    onClose();
  });
  return (
    <Confirm
      label="Release them"
      cancelLabel="Keep them"
      onCancel={onClose}
      onConfirm={() => release.mutate({ eventId, key })}
      pending={release.isPending}
      error={release.error}
    >
      {orders === 1 ? 'One unpaid order is' : `${orders} unpaid orders are`} cancelled and{' '}
      {waitlistEntries === 1 ? 'one entry leaves' : `${waitlistEntries} entries leave`} the waiting
      list, {seats} {seats === 1 ? 'place' : 'places'} in all. Nobody gets a mail. Paid orders stay.
      The limits of the event still count these places for those who held them.
    </Confirm>
  );
}
