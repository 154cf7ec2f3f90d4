import { Anchor, Button, Text } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { may, useStaff } from '../../session/viewer.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconPin, IconPlus } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { CreateLocation } from './CreateLocation.tsx';
import { type LocationDetails, useLocationList } from './location-queries.ts';
import { weekInWords } from './opening-hours.ts';

const columns: Column<LocationDetails>[] = [
  {
    header: 'Name',
    cell: ({ id, name }) => (
      <Anchor component={Link} to={`/spaces/${id}`} fw={600} size="sm">
        {name}
      </Anchor>
    ),
  },
  { header: 'Address', cell: ({ address }) => <Text size="sm">{address ?? '–'}</Text> },
  { header: 'Time zone', cell: ({ timeZone }) => <Text size="sm">{timeZone}</Text> },
  { header: 'Open', cell: (location) => <OpenWords location={location} /> },
];

export function SpacesPage() {
  const mayChange = may(useStaff(), 'spaces:write');
  const locations = useLocationList();
  const creating = useDialog();
  const navigate = useNavigate();
  const add = mayChange && (
    <Button leftSection={<IconPlus />} onClick={() => creating.open(true)}>
      Add a location
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Spaces"
        description="Your locations, when they are open, and what can be booked in them."
        action={locations.data?.length ? add : null}
      />
      <Loaded query={locations}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={IconPin} title="No locations yet" action={add}>
              {mayChange
                ? 'A location is a house with a time zone of its own. Add the first one, then its rooms and desks.'
                : 'An owner or a manager can add the first one.'}
            </EmptyState>
          ) : (
            <DataTable label="Locations" columns={columns} rows={rows} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      <Dialog state={creating} title="Add a location">
        {() => (
          <CreateLocation
            onCreated={({ id }) => navigate(`/spaces/${id}`)}
            onCancel={creating.close}
          />
        )}
      </Dialog>
    </>
  );
}

const OpenWords = ({ location: { openingHours } }: { location: LocationDetails }) => (
  <>
    {weekInWords(openingHours).map((line) => (
      <Text key={line} size="sm">
        {line}
      </Text>
    ))}
  </>
);
