import { Anchor, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { serviceUrl } from '../../api/urls.ts';
import { may, useStaff } from '../../session/viewer.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Admit } from './Admit.tsx';
import { LatestAttempts } from './LatestAttempts.tsx';
import { OccupancyCards } from './OccupancyCards.tsx';
import { Present } from './Present.tsx';
import { useOccupancy } from './queries.ts';

export function FrontDeskPage() {
  const mayAdmit = may(useStaff(), 'check-ins:write');
  const [chosen, setChosen] = useState('');
  const { occupancy, isLive, refreshSeconds } = useOccupancy();
  const places = occupancy.data ?? [];
  const locationId = chosen || null;
  return (
    <>
      <PageHeader
        title="Front desk"
        description="Who is in, who came and went, and who could not get in."
        action={
          <Anchor
            href={serviceUrl(places.length === 1 ? `kiosk/${places[0]?.locationId}` : 'kiosk')}
            target="_blank"
            rel="noreferrer"
            size="sm"
          >
            Open the kiosk page
          </Anchor>
        }
      />
      <Stack>
        <Loaded query={occupancy} height={100}>
          {(places) => <OccupancyCards places={places} />}
        </Loaded>
        <Text size="xs" c="dimmed" role="status">
          {isLive ? 'Shown as it happens.' : `Looked at again every ${refreshSeconds} seconds.`}
        </Text>
        {places.length > 1 && (
          <Select
            label="Location"
            data={[
              { value: '', label: 'All locations' },
              ...places.map((place) => ({ value: place.locationId, label: place.locationName })),
            ]}
            value={chosen}
            onChange={(id) => setChosen(id ?? '')}
            allowDeselect={false}
            maw={280}
          />
        )}
        {mayAdmit && places.length > 0 && (
          <Admit key={chosen} places={places} chosen={locationId} />
        )}
        <SimpleGrid cols={{ base: 1, xl: 2 }}>
          <Present locationId={locationId} mayAdmit={mayAdmit} refreshSeconds={refreshSeconds} />
          <LatestAttempts locationId={locationId} refreshSeconds={refreshSeconds} />
        </SimpleGrid>
      </Stack>
    </>
  );
}
