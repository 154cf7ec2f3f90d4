import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { toApiError } from '../api/errors.ts';
import { CenteredPage } from '../components/CenteredPage.tsx';
import { QueryBoundary } from '../components/QueryBoundary.tsx';
import { useOfflinePage, useWakeLock } from '../offline/use-unattended-page.ts';
import { KioskFlow } from './KioskFlow.tsx';
import { cacheKiosk, readCachedKiosk } from './kiosk-storage.ts';
import { fetchKiosk } from './queries.ts';

/** At the door of one location, which is named by its short name or its id. */
export function Component() {
  const { place = '' } = useParams();
  useWakeLock();
  useOfflinePage('kiosk');
  const kiosk = useQuery({
    queryKey: ['kiosk', place],
    queryFn: async ({ signal }) => {
      const kiosk = await fetchKiosk(place, signal);
      cacheKiosk(place, kiosk);
      return kiosk;
    },
    initialData: () => readCachedKiosk(place), // it may be switched on while the network is away
    initialDataUpdatedAt: 0,
    refetchInterval: 10 * 60_000, // a kiosk runs for weeks, and its place may be renamed
  });
  if (kiosk.data) return <KioskFlow key={kiosk.data.locationId} kiosk={kiosk.data} />;
  if (kiosk.error && toApiError(kiosk.error).code === 'NOT_FOUND') {
    return (
      <CenteredPage title="No such place">
        <p>There is no location of this name. The address may be mistyped.</p>
        <Button component={Link} to="/kiosk">
          Choose a location
        </Button>
      </CenteredPage>
    );
  }
  return (
    <CenteredPage title="Check in">
      <QueryBoundary query={kiosk} height={200}>
        {() => null}
      </QueryBoundary>
    </CenteredPage>
  );
}
