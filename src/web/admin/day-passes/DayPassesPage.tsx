import { Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { PageHeader } from '../../components/PageHeader.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { isCalendarDate } from '../../components/wall-clock.ts';
import { DiscountCodes } from '../discounts/DiscountCodes.tsx';
import { NoLocationNotice } from '../spaces/NoLocationNotice.tsx';
import { type LocationChoice, useLocationChoices } from '../spaces/queries.ts';
import { LocationDayPasses } from './LocationDayPasses.tsx';
import { useDayPassTypes } from './queries.ts';

export function DayPassesPage() {
  const locations = useLocationChoices();
  return (
    <>
      <PageHeader
        title="Day passes"
        description="One-day access for non-members, with prices and a daily limit."
      />
      <QueryBoundary query={locations} height={300}>
        {([first, ...others]) =>
          first ? (
            <DayPassesByLocation locations={[first, ...others]} />
          ) : (
            <NoLocationNotice
              instruction="Day passes are sold per location. Add one under Spaces."
              explanation="Day passes are sold per location. An owner or manager needs to add one."
            />
          )
        }
      </QueryBoundary>
    </>
  );
}

function DayPassesByLocation({ locations }: { locations: [LocationChoice, ...LocationChoice[]] }) {
  const viewer = useStaffViewer();
  const [dateText, setDateText] = useState('');
  const date = isCalendarDate(dateText) ? dateText : null;
  const typesToday = useDayPassTypes(null);
  const comparison = useDayPassTypes(date);
  const canChange = can(viewer, 'day-passes:write');
  return (
    <>
      <Group mb="md">
        <TextInput
          type="date"
          label="Check availability on"
          description="Shown next to today"
          w={180}
          value={dateText}
          onChange={({ currentTarget: { value } }) => setDateText(value)}
        />
      </Group>
      <QueryBoundary query={typesToday} height={300}>
        {(types) => (
          <Stack>
            {locations.map((location) => (
              <LocationDayPasses
                key={location.id}
                location={location}
                types={types.filter((type) => type.location.id === location.id)}
                comparison={
                  date === null
                    ? null
                    : { date, types: comparison.isPlaceholderData ? [] : comparison.data }
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
