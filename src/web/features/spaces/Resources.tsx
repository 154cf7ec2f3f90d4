import { Badge, Button, Group, Text } from '@mantine/core';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { moneyWords } from '../../ui/money.ts';
import { Panel } from '../../ui/Panel.tsx';
import { durationWords } from '../../ui/place-words.ts';
import { useDialog } from '../../ui/use-dialog.ts';
import { ResourceForm } from './ResourceForm.tsx';
import { type ResourceDetails, useResourceList } from './resource-queries.ts';
import { typeName } from './resource-types.ts';

interface Props {
  location: { id: string; name: string };
  mayChange: boolean;
}

const columns: Column<ResourceDetails>[] = [
  { header: 'Name', cell: (resource) => <Name resource={resource} /> },
  { header: 'Kind', cell: ({ type }) => <Text size="sm">{typeName(type)}</Text> },
  { header: 'People', cell: ({ capacity }) => <Text size="sm">{capacity}</Text> },
  {
    header: 'Per hour',
    cell: ({ pricePerHour }) => (
      <Text size="sm">{pricePerHour.amount === 0 ? 'free' : moneyWords(pricePerHour)}</Text>
    ),
  },
  { header: 'Rules', cell: (resource) => <Text size="sm">{rulesInWords(resource)}</Text> },
];

export function Resources({ location, mayChange }: Props) {
  const resources = useResourceList(location.id);
  const creating = useDialog();
  const editing = useDialog<ResourceDetails>();
  return (
    <Panel
      title="What can be booked"
      action={
        mayChange && (
          <Button size="xs" onClick={() => creating.open(true)}>
            Add a room or desk
          </Button>
        )
      }
    >
      <Loaded query={resources}>
        {(rows) =>
          rows.length === 0 ? (
            <Text size="sm">
              {mayChange
                ? 'Nothing yet. Add the first room, desk or piece of equipment; it can be booked at once.'
                : 'Nothing yet. An owner or a manager can add rooms and desks.'}
            </Text>
          ) : (
            <DataTable
              label="What can be booked"
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              isEnded={({ active }) => !active}
              {...(mayChange && {
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
      </Loaded>
      <Dialog state={creating} title={`Something to book at ${location.name}`} size="lg">
        {() => <ResourceForm locationId={location.id} onClose={creating.close} />}
      </Dialog>
      <Dialog state={editing} title={`Edit ${editing.subject?.name ?? ''}`} size="lg">
        {(resource) => (
          <ResourceForm locationId={location.id} resource={resource} onClose={editing.close} />
        )}
      </Dialog>
    </Panel>
  );
}

const Name = ({ resource: { name, active, amenities } }: { resource: ResourceDetails }) => (
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

function rulesInWords(resource: ResourceDetails): string {
  const { minMinutes, maxMinutes, bufferMinutes, freeCancellationHours, noShowMinutes } = resource;
  return [
    `${durationWords(minMinutes)} to ${durationWords(maxMinutes)}`,
    bufferMinutes > 0 && `${durationWords(bufferMinutes)} buffer`,
    freeCancellationHours > 0 && `cancel free until ${freeCancellationHours} h before`,
    noShowMinutes !== null && `given up after ${durationWords(noShowMinutes)}`,
    resource.requiresApproval && 'needs approval',
  ]
    .filter(Boolean)
    .join(' · ');
}
