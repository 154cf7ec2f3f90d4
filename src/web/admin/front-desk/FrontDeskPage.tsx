import { Button, Group, Paper, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { Dialog, useDialog } from '../../components/Dialog.tsx';
import { LocationFilter } from '../../components/ListFilters.tsx';
import { PageHeader } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { CheckedInList, LatestAttempts } from './AttemptLists.tsx';
import { CheckInForm } from './CheckInForm.tsx';
import { ExpectedList } from './ExpectedList.tsx';
import { OpenKiosk } from './OpenKiosk.tsx';
import { type Occupancy, useFrontDesk } from './queries.ts';
import { SellForm } from './SellForm.tsx';
import type { SaleKind } from './sale-queries.ts';

export function FrontDeskPage() {
  const viewer = useStaffViewer();
  const canAdmit = can(viewer, 'check-ins:write');
  const selling = useDialog<SaleKind>();
  const [locationId, setLocationId] = useState<string | null>(null);
  const { frontDesk, isLive, refreshSeconds } = useFrontDesk(locationId);
  const locations = frontDesk.data?.occupancy ?? [];
  return (
    <>
      <PageHeader
        title="Front desk"
        description="Check people in and see who is here."
        action={
          <OpenKiosk
            locations={locations.map(({ locationId: id, locationName: name }) => ({ id, name }))}
          />
        }
      />
      <QueryBoundary query={frontDesk} height={300}>
        {({ occupancy, present, latest, expected }) => (
          <Stack>
            <OccupancyCards locations={occupancy} />
            <Text size="xs" c="dimmed" role="status">
              {isLive ? 'Live updates are on.' : `Updates every ${refreshSeconds} seconds.`}
            </Text>
            {occupancy.length > 1 && (
              <LocationFilter
                locations={occupancy.map(({ locationId: id, locationName: name }) => ({
                  id,
                  name,
                }))}
                value={locationId}
                onChange={setLocationId}
              />
            )}
            {can(viewer, 'orders:write') && occupancy.length > 0 && (
              <Group gap="sm">
                <Button onClick={() => selling.open('DAY_PASS')}>Sell a day pass</Button>
                <Button variant="default" onClick={() => selling.open('TICKET')}>
                  Sell a ticket
                </Button>
              </Group>
            )}
            {canAdmit && occupancy.length > 0 && (
              <CheckInForm key={locationId} locations={occupancy} selectedId={locationId} />
            )}
            <ExpectedList expected={expected} />
            <SimpleGrid cols={{ base: 1, xl: 2 }}>
              <CheckedInList present={present} />
              <LatestAttempts latest={latest} />
            </SimpleGrid>
          </Stack>
        )}
      </QueryBoundary>
      <Dialog
        state={selling}
        title={selling.subject === 'TICKET' ? 'Sell a ticket' : 'Sell a day pass'}
      >
        {(kind) => <SellForm kind={kind} locationId={locationId} onClose={selling.close} />}
      </Dialog>
    </>
  );
}

/** The occupancy of each location. */
const OccupancyCards = ({ locations }: { locations: Occupancy[] }) => (
  <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} component="ul" p={0} m={0} aria-label="Occupancy">
    {locations.map(({ locationId, locationName, present, unconfirmed, capacity }) => (
      <Paper
        key={locationId}
        component="li"
        withBorder
        radius="md"
        p="md"
        style={{ listStyle: 'none' }}
      >
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {locationName}
        </Text>
        <Text size="xl" fw={700}>
          {present}
          <Text span size="sm" c="dimmed" fw={400}>
            {capacity === null ? ' checked in' : ` of ${capacity} checked in`}
            {capacity !== null && present >= capacity && ', full'}
          </Text>
        </Text>
        {unconfirmed > 0 && (
          <Text size="sm" c="dimmed">
            {unconfirmed} unconfirmed
          </Text>
        )}
        {capacity !== null && (
          <Progress
            mt="xs"
            value={Math.min(100, (100 * present) / Math.max(1, capacity))}
            color={present >= capacity ? 'red' : 'teal'}
            aria-label={`${present} of ${capacity} checked in`}
          />
        )}
      </Paper>
    ))}
  </SimpleGrid>
);
