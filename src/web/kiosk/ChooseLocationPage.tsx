import { Button, Stack } from '@mantine/core';
import { Link, Navigate } from 'react-router';
import { CenteredPage } from '../components/PageLayout.tsx';
import { QueryBoundary } from '../components/QueryBoundary.tsx';
import { getText } from '../language/page-texts.ts';
import { PairLink } from './PairLink.tsx';
import { useKiosks } from './queries.ts';

/** Opened once, when the tablet is set up. */
export function Component() {
  const kiosks = useKiosks();
  const [only, second] = kiosks.data ?? [];
  if (only && !second) return <Navigate replace to={`/kiosk/${only.locationId}`} />;
  return (
    <CenteredPage title={getText('kiosk.chooseLocation')}>
      <QueryBoundary query={kiosks} height={120}>
        {(kiosks) =>
          kiosks.length === 0 ? (
            <p>{getText('kiosk.noLocations')}</p>
          ) : (
            <Stack>
              {kiosks.map(({ locationId, name }) => (
                <Button
                  key={locationId}
                  component={Link}
                  to={`/kiosk/${locationId}`}
                  size="lg"
                  variant="light"
                >
                  {name}
                </Button>
              ))}
              <PairLink location="" />
            </Stack>
          )
        }
      </QueryBoundary>
    </CenteredPage>
  );
}
