import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { asApiError } from '../api/errors.ts';
import { useOfflinePage } from '../offline/use-offline-page.ts';
import { useWakeLock } from '../screen/use-wake-lock.ts';
import { FullPage } from '../ui/FullPage.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { Door } from './Door.tsx';
import { keepKiosk, keptKiosk } from './kept-kiosk.ts';
import { readKiosk } from './queries.ts';

/** At the door of one location, which is named by its short name or its id. */
export function Component() {
  const { place = '' } = useParams();
  useWakeLock();
  useOfflinePage('kiosk');
  const kiosk = useQuery({
    queryKey: ['kiosk', place],
    queryFn: async ({ signal }) => {
      const kiosk = await readKiosk(place, signal);
      keepKiosk(place, kiosk);
      return kiosk;
    },
    initialData: () => keptKiosk(place), // it may be switched on while the network is away
    initialDataUpdatedAt: 0,
    refetchInterval: 10 * 60_000, // a kiosk runs for weeks, and its place may be renamed
  });
  if (kiosk.data) return <Door key={kiosk.data.locationId} kiosk={kiosk.data} />;
  if (kiosk.error && asApiError(kiosk.error).code === 'NOT_FOUND') {
    return (
      <FullPage title="No such place">
        <p>There is no location of this name. The address may be mistyped.</p>
        <Button component={Link} to="/kiosk">
          Choose a location
        </Button>
      </FullPage>
    );
  }
  return (
    <FullPage title="Check in">
      <Loaded query={kiosk} height={200}>
        {() => null}
      </Loaded>
    </FullPage>
  );
}
