import { Badge, Button, Group, Text } from '@mantine/core';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { formatDuration } from '../../components/format-local-time.ts';
import { formatMoney } from '../../components/money.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { type ResourceDetails, useResourceList } from './queries.ts';
import { ResourceForm } from './ResourceForm.tsx';
import { formatResourceType } from './resource-labels.ts';

interface Props {
  location: { id: string; name: string };
  canChange: boolean;
}

const columns: Column<ResourceDetails>[] = [
  { header: 'Name', cell: (resource) => <ResourceNameCell resource={resource} /> },
  { header: 'Kind', cell: ({ type }) => <Text size="sm">{formatResourceType(type)}</Text> },
  { header: 'People', cell: ({ capacity }) => <Text size="sm">{capacity}</Text> },
  {
    header: 'Per hour',
    cell: ({ pricePerHour }) => (
      <Text size="sm">{pricePerHour.amount === 0 ? 'free' : formatMoney(pricePerHour)}</Text>
    ),
  },
  { header: 'Rules', cell: (resource) => <Text size="sm">{formatRules(resource)}</Text> },
];

export function ResourceList({ location, canChange }: Props) {
  const resources = useResourceList(location.id);
  const creating = useDialog();
  const editing = useDialog<ResourceDetails>();
  return (
    <SectionCard
      title="What can be booked"
      action={
        canChange && (
          <Button size="xs" onClick={() => creating.open(true)}>
            Add a room or desk
          </Button>
        )
      }
    >
      <QueryBoundary query={resources}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm">
              {canChange
                ? 'Nothing yet. Add the first room, desk or piece of equipment; it can be booked at once.'
                : 'Nothing yet. An owner or a manager can add rooms and desks.'}
            </Text>
          ) : (
            <DataTable
              label="What can be booked"
              columns={columns}
              rows={rows}
              getKey={({ id }) => id}
              isEnded={({ active }) => !active}
              {...(canChange && {
                actions: (resource: ResourceDetails) => (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Edit ${resource.name}`}
                    onClick={() => editing.open(resource)}
                  >
                    Edit
                  </Button>
                ),
              })}
            />
          )
        }
      </QueryBoundary>
      <Dialog state={creating} title={`Something to book at ${location.name}`} size="lg">
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
  resource: { name, active, amenities },
}: {
  resource: ResourceDetails;
}) => (
  <>
    <Group gap="xs">
      <Text fw={600} size="sm">
        {name}
      </Text>
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

function formatRules(resource: ResourceDetails): string {
  const { minMinutes, maxMinutes, bufferMinutes, freeCancellationHours, noShowMinutes } = resource;
  return [
    `${formatDuration(minMinutes)} to ${formatDuration(maxMinutes)}`,
    bufferMinutes > 0 && `${formatDuration(bufferMinutes)} buffer`,
    freeCancellationHours > 0 && `cancel free until ${freeCancellationHours} h before`,
    noShowMinutes !== null && `given up after ${formatDuration(noShowMinutes)}`,
    resource.requiresApproval && 'needs approval',
  ]
    .filter(Boolean)
    .join(' · ');
}
