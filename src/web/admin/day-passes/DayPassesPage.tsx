import { Button, Group, Stack, TextInput } from '@mantine/core';
import { IconMapPin } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { isCalendarDate } from '../../components/wall-clock.ts';
import { DiscountCodes } from '../discounts/DiscountCodes.tsx';
import { type LocationChoice, useLocationChoices } from '../spaces/queries.ts';
import { LocationDayPasses } from './LocationDayPasses.tsx';
import { useDayPassTypes } from './queries.ts';

export function DayPassesPage() {
  const locations = useLocationChoices();
  return (
    <>
      <PageHeader
        title="Day passes"
        description="What lets somebody in for a day without a membership: what is sold, for how much, and how many there are each day."
      />
      <QueryBoundary query={locations} height={300}>
        {([first, ...others]) =>
          first ? <DayPassesByLocation locations={[first, ...others]} /> : <NoLocation />
        }
      </QueryBoundary>
    </>
  );
}

function DayPassesByLocation({ locations }: { locations: [LocationChoice, ...LocationChoice[]] }) {
  const viewer = useStaffViewer();
  const [typed, setTyped] = useState('');
  const date = isCalendarDate(typed) ? typed : null;
  const today = useDayPassTypes(null);
  const then = useDayPassTypes(date);
  const canChange = can(viewer, 'day-passes:write');
  return (
    <>
      <Group mb="md">
        <TextInput
          type="date"
          label="What is left on"
          description="Besides today"
          w={180}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
      </Group>
      <QueryBoundary query={today} height={300}>
        {(types) => (
          <Stack>
            {locations.map((location) => (
              <LocationDayPasses
                key={location.id}
                location={location}
                types={types.filter((type) => type.location.id === location.id)}
                then={
                  date === null ? null : { date, types: then.isPlaceholderData ? [] : then.data }
                }
                canChange={canChange}
              />
            ))}
            {can(viewer, 'orders:read') && (
              <DiscountCodes
                event={null}
                timeZone={locations[0].timeZone}
                canChange={can(viewer, 'events:write')}
              />
            )}
          </Stack>
        )}
      </QueryBoundary>
    </>
  );
}

function NoLocation() {
  const canChange = can(useStaffViewer(), 'spaces:write');
  return (
    <EmptyState
      icon={IconMapPin}
      title="First, add a location"
      action={
        canChange && (
          <Button component={Link} to="/spaces">
            Go to Spaces
          </Button>
        )
      }
    >
      {canChange
        ? 'A day pass is for one location. Add your house under Spaces.'
        : 'A day pass is for one location. An owner or a manager adds it.'}
    </EmptyState>
  );
}
