import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { may, useStaff } from '../../session/viewer.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IconPin } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { isDay } from '../../ui/wall-clock.ts';
import { DiscountCodes } from '../events/discounts/DiscountCodes.tsx';
import { type Location, useLocations } from '../spaces/queries.ts';
import { PassesOfLocation } from './PassesOfLocation.tsx';
import { useDayPassTypes } from './queries.ts';

export function DayPassesPage() {
  const locations = useLocations();
  return (
    <>
      <PageHeader
        title="Day passes"
        description="What lets somebody in for a day without a membership: what is sold, for how much, and how many there are each day."
      />
      <Loaded query={locations} height={300}>
        {([first, ...others]) =>
          first ? <Passes locations={[first, ...others]} /> : <NoLocation />
        }
      </Loaded>
    </>
  );
}

function Passes({ locations }: { locations: [Location, ...Location[]] }) {
  const viewer = useStaff();
  const [typed, setTyped] = useState('');
  const date = isDay(typed) ? typed : null;
  const today = useDayPassTypes(null);
  const then = useDayPassTypes(date);
  const mayChange = may(viewer, 'day-passes:write');
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
      <Loaded query={today} height={300}>
        {(types) => (
          <Stack>
            {locations.map((location) => (
              <PassesOfLocation
                key={location.id}
                location={location}
                types={types.filter((type) => type.location.id === location.id)}
                then={
                  date === null ? null : { date, types: then.isPlaceholderData ? [] : then.data }
                }
                mayChange={mayChange}
              />
            ))}
            {may(viewer, 'orders:read') && (
              <DiscountCodes
                event={null}
                timeZone={locations[0].timeZone}
                mayChange={may(viewer, 'events:write')}
              />
            )}
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function NoLocation() {
  const mayChange = may(useStaff(), 'spaces:write');
  return (
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
        ? 'A day pass is for one location. Add your house under Spaces.'
        : 'A day pass is for one location. An owner or a manager adds it.'}
    </EmptyState>
  );
}
