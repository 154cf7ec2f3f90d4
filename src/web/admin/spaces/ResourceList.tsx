import { Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { formatDuration } from '../../../core/time/format.ts';
import { type Column, DataTable, RowAction } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { formatMoney } from '../../components/money.ts';
import { SectionCard } from '../../components/PageLayout.tsx';
import { ResourceForm } from './ResourceForm.tsx';
import { formatResourceType } from './resource-labels.ts';
import type { ResourceDetails } from './resource-queries.ts';

interface Props {
  location: { id: string; name: string };
  resources: ResourceDetails[];
  canChange: boolean;
}

const columns: Column<ResourceDetails>[] = [
  { header: 'Name', cell: (resource) => <ResourceNameCell resource={resource} /> },
  { header: 'Type', cell: ({ type }) => <Text size="sm">{formatResourceType(type)}</Text> },
  { header: 'Capacity', cell: ({ capacity }) => <Text size="sm">{capacity}</Text> },
  {
    header: 'Price per hour',
    cell: ({ pricePerHour }) => (
      <Text size="sm">{pricePerHour.amount === 0 ? 'free' : formatMoney(pricePerHour)}</Text>
    ),
  },
  { header: 'Rules', cell: (resource) => <Text size="sm">{formatRules(resource)}</Text> },
];

export function ResourceList({ location, resources, canChange }: Props) {
  const creating = useDialog();
  const editing = useDialog<ResourceDetails>();
  return (
    <SectionCard
      title="Rooms, desks and equipment"
      count={resources.length > 0 ? String(resources.length) : undefined}
      action={
        canChange && (
          <Button size="xs" onClick={() => creating.open(true)}>
            Add a room or desk
          </Button>
        )
      }
    >
      {resources.length === 0 ? (
        <Text size="sm">
          {canChange
            ? 'Nothing here yet. Add a room, desk or piece of equipment to make it bookable.'
            : 'Nothing here yet. An owner or manager can add rooms and desks.'}
        </Text>
      ) : (
        <DataTable
          label="Rooms, desks and equipment"
          columns={columns}
          rows={resources}
          getKey={({ id }) => id}
          isEnded={({ active }) => !active}
          {...(canChange && {
            actions: (resource: ResourceDetails) => (
              <RowAction label="Edit" row={resource.name} onClick={() => editing.open(resource)} />
            ),
          })}
        />
      )}
      <Dialog state={creating} title={`Add a room or desk at ${location.name}`} size="lg">
        {() => <ResourceForm locationId={location.id} onClose={creating.close} />}
      </Dialog>
      <Dialog state={editing} title={`Edit ${editing.subject?.name ?? ''}`} size="lg">
        {(resource) => (
          <ResourceForm locationId={location.id} resource={resource} onClose={editing.close} />
        )}
      </Dialog>
    </SectionCard>
  );
}

const ResourceNameCell = ({
  resource: { id, name, active, amenities },
}: {
  resource: ResourceDetails;
}) => (
  <>
    <Group gap="xs">
      <Anchor component={Link} to={`/spaces/resources/${id}`} fw={600} size="sm">
        {name}
      </Anchor>
      {!active && (
        <Badge variant="default" size="sm">
          Not bookable
        </Badge>
      )}
    </Group>
    <Text size="xs" c="dimmed">
      {amenities.join(', ')}
    </Text>
  </>
);

/** "30 min to 8 h · needs approval" */
export function formatRules(resource: ResourceDetails): string {
  const { minMinutes, maxMinutes, bufferMinutes, freeCancellationHours, noShowMinutes } = resource;
  return [
    `${formatDuration(minMinutes)} to ${formatDuration(maxMinutes)}`,
    bufferMinutes > 0 && `${formatDuration(bufferMinutes)} buffer`,
    freeCancellationHours > 0 && `free cancellation until ${freeCancellationHours} h before`,
    noShowMinutes !== null && `no-shows released after ${formatDuration(noShowMinutes)}`,
    resource.requiresApproval && 'needs approval',
  ]
    .filter(Boolean)
    .join(' · ');
}
