import { Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { may, useStaff } from '../../session/viewer.ts';
import { BackLink } from '../../ui/BackLink.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useNow } from '../../ui/use-now.ts';
import { dayAt } from '../../ui/wall-clock.ts';
import { Closures } from './Closures.tsx';
import { LocationFacts } from './LocationFacts.tsx';
import { useLocation } from './location-queries.ts';
import { OpeningHours } from './OpeningHours.tsx';
import { Resources } from './Resources.tsx';

export function LocationPage() {
  const { locationId = '' } = useParams();
  const mayChange = may(useStaff(), 'spaces:write');
  const now = useNow(60);
  const location = useLocation(locationId, dayAt(now, 'UTC'));
  return (
    <>
      <BackLink to="/spaces">All locations</BackLink>
      <Loaded query={location} height={400}>
        {(location) => (
          <>
            <PageHeader
              title={location.name}
              description="What holds for the whole house, and what can be booked in it."
            />
            <Stack>
              <LocationFacts location={location} mayChange={mayChange} />
              <OpeningHours key={location.id} location={location} mayChange={mayChange} />
              <Closures
                locationId={location.id}
                closures={location.closures}
                today={dayAt(now, location.timeZone)}
                mayChange={mayChange}
              />
              <Resources location={location} mayChange={mayChange} />
            </Stack>
          </>
        )}
      </Loaded>
    </>
  );
}
