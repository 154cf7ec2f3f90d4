import { Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import { PageHeader } from '../../components/PageLayout.tsx';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { isCalendarDate } from '../../components/wall-clock.ts';
import { DiscountCodes } from '../discounts/DiscountCodes.tsx';
import { NoLocationNotice } from '../spaces/NoLocationNotice.tsx';
import { LocationDayPasses } from './LocationDayPasses.tsx';
import { useDayPasses } from './queries.ts';

export function DayPassesPage() {
  const viewer = useStaffViewer();
  const [dateText, setDateText] = useState('');
  const date = isCalendarDate(dateText) ? dateText : null;
  const dayPasses = useDayPasses(date);
  const canChange = can(viewer, 'day-passes:write');
  return (
    <>
      <PageHeader
        title="Day passes"
        description="One-day access for non-members, with prices and a daily limit."
      />
      <QueryBoundary query={dayPasses} height={300}>
        {({ locations, types, discountCodes }) =>
          locations[0] ? (
            <>
              <Group mb="md">
                <TextInput
                  type="date"
                  label="Check availability on"
                  description="Shown next to today’s availability"
                  w={180}
                  value={dateText}
                  onChange={({ currentTarget: { value } }) => setDateText(value)}
                />
              </Group>
              <Stack>
                {locations.map((location) => (
                  <LocationDayPasses
                    key={location.id}
                    location={location}
                    types={types.filter((type) => type.location.id === location.id)}
                    date={date}
                    canChange={canChange}
                  />
                ))}
                {discountCodes && (
                  <DiscountCodes
                    event={null}
                    codes={discountCodes}
                    timeZone={locations[0].timeZone}
                    canChange={can(viewer, 'events:write')}
                  />
                )}
              </Stack>
            </>
          ) : (
            <NoLocationNotice
              instruction="Day passes are valid at a location. Add a location under Spaces."
              explanation="Day passes are valid at a location. An owner or manager needs to add one."
            />
          )
        }
      </QueryBoundary>
    </>
  );
}
