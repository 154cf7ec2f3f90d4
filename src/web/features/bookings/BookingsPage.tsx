import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { may, useStaff } from '../../session/viewer.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconPin } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useNow } from '../../ui/use-now.ts';
import { dayAt, isDay } from '../../ui/wall-clock.ts';
import { type Location, useLocations } from '../spaces/queries.ts';
import { DayPage } from './DayPage.tsx';

export function BookingsPage() {
  const locations = useLocations();
  return (
    <Loaded query={locations} height={400}>
      {([first, ...others]) =>
        first ? <AtLocation locations={[first, ...others]} /> : <NoLocation />
      }
    </Loaded>
  );
}

/** The place and the day stand in the address, so that the way back leads there. */
function AtLocation({ locations }: { locations: [Location, ...Location[]] }) {
  const [at, setAt] = useSearchParams();
  const now = useNow(30);
  const location = locations.find(({ id }) => id === at.get('location')) ?? locations[0];
  const today = dayAt(now, location.timeZone);
  const asked = at.get('day');
  const day = asked && isDay(asked) ? asked : today;
  const go = (to: { location?: string; day?: string }) =>
    setAt({ location: to.location ?? location.id, day: to.day ?? day }, { replace: true });
  return (
    <DayPage
      key={location.id}
      locations={locations}
      location={location}
      day={day}
      today={today}
      onLocation={(id) => go({ location: id })}
      onDay={(day) => go({ day })}
    />
  );
}

function NoLocation() {
  const mayChange = may(useStaff(), 'spaces:write');
  return (
    <>
      <PageHeader title="Bookings" description="Who is in which room, and when." />
      <EmptyState
        icon={IconPin}
        title="First, add a location"
        action={
          mayChange && (
            <Button component={Link} to="/spaces">
              Go to Spaces
            </Button>
          )
        }
      >
        {mayChange
          ? 'Add your house under Spaces, then its rooms and desks. Their day is shown here.'
          : 'An owner or a manager adds it, and its rooms and desks. Their day is then shown here.'}
      </EmptyState>
    </>
  );
}
