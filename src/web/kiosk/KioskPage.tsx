import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { toApiError } from '../api/errors.ts';
import { CenteredPage } from '../components/PageLayout.tsx';
import { QueryBoundary } from '../components/QueryBoundary.tsx';
import { getText } from '../language/page-texts.ts';
import { useOfflinePage, useWakeLock } from '../offline/use-unattended-page.ts';
import { KioskFlow } from './KioskFlow.tsx';
import { cacheKiosk, readCachedKiosk } from './kiosk-storage.ts';
import { fetchKiosk } from './queries.ts';

/** The check-in kiosk of one location. The URL has its slug or id. */
export function Component() {
  const { location = '' } = useParams();
  useWakeLock();
  useOfflinePage('kiosk');
  const kiosk = useQuery({
    queryKey: ['kiosk', location],
    queryFn: async ({ signal }) => {
      const kiosk = await fetchKiosk(location, signal);
      cacheKiosk(location, kiosk);
      return kiosk;
    },
    initialData: () => readCachedKiosk(location), // so that the kiosk can start offline
    initialDataUpdatedAt: 0,
    refetchInterval: 10 * 60_000, // a kiosk runs for weeks, and its location may be renamed
  });
  if (kiosk.data) return <KioskFlow key={kiosk.data.locationId} kiosk={kiosk.data} />;
  if (kiosk.error && toApiError(kiosk.error).code === 'NOT_FOUND') {
    return (
      <CenteredPage title={getText('kiosk.locationNotFound')}>
        <p>{getText('kiosk.locationNotFoundHelp')}</p>
        <Button component={Link} to="/kiosk">
          {getText('kiosk.chooseOther')}
        </Button>
      </CenteredPage>
    );
  }
  return (
    <CenteredPage title={getText('kiosk.checkIn')}>
      <QueryBoundary query={kiosk} height={200}>
        {() => null}
      </QueryBoundary>
    </CenteredPage>
  );
}
