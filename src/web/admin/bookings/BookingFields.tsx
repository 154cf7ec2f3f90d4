import { Anchor, Radio, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { fetchAllPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type { SeriesScope } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { getMemberText } from '../../language/member-texts.ts';
import { toResourceOptions } from '../spaces/resource-labels.ts';
import { useResourceChoices } from '../spaces/resource-queries.ts';
import { isActiveBooking, SERIES_SCOPES } from './booking-labels.ts';
import { type BookingTimes, changeTimes, type TimeChange } from './booking-times.ts';
import type { Booking } from './queries.ts';

interface TimeFieldsProps {
  times: BookingTimes;
  errors: { day?: ReactNode; from?: ReactNode; to?: ReactNode };
  timeZone: string;
  onChange: (times: BookingTimes) => void;
}

/** Date and times, in the time zone of the location. The date of the end is shown if it is another one. */
export function TimeFields({ times, errors, timeZone, onChange }: TimeFieldsProps) {
  const [endsOtherDay, setEndsOtherDay] = useState(false);
  const change = (change: TimeChange) => onChange(changeTimes(times, change, timeZone));
  const showsEndDay = endsOtherDay || times.endDay !== times.day;
  return (
    <div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          type="date"
          label="Date"
          value={times.day}
          error={errors.day}
          onChange={({ currentTarget: { value } }) => change({ day: value })}
        />
        <SimpleGrid cols={2} spacing="sm">
          <TextInput
            type="time"
            label="From"
            value={times.from}
            error={errors.from}
            onChange={({ currentTarget: { value } }) => change({ from: value })}
          />
          <TextInput
            type="time"
            label="To"
            value={times.to}
            error={errors.to}
            onChange={({ currentTarget: { value } }) => change({ to: value })}
          />
        </SimpleGrid>
        {showsEndDay && (
          <TextInput
            type="date"
            label="Last day"
            min={times.day}
            value={times.endDay}
            onChange={({ currentTarget: { value } }) => change({ endDay: value })}
          />
        )}
      </SimpleGrid>
      {!showsEndDay && (
        <Anchor component="button" type="button" size="xs" onClick={() => setEndsOtherDay(true)}>
          Ends on another day
        </Anchor>
      )}
    </div>
  );
}

interface MoveTargetFieldProps {
  booking: Pick<Booking, 'resource' | 'location'>;
  value: string;
  onChange: (resource: { id: string; name: string }) => void;
}

/** The resource that a booking moves to: any of its location. Hidden if there is only one. */
export function MoveTargetField({ booking, value, onChange }: MoveTargetFieldProps) {
  const { resource: current, location } = booking;
  const { data: resources = [] } = useResourceChoices(location.id);
  const choices = resources.filter(({ id, active }) => active || id === current.id);
  if (choices.length < 2) return null;
  return (
    <Select
      label={getMemberText('move.resource')}
      data={toResourceOptions(choices.map((resource) => ({ ...resource, active: true })))}
      searchable
      allowDeselect={false}
      nothingFoundMessage={getMemberText('move.noResource')}
      value={value}
      onChange={(id) => {
        const chosen = choices.find((resource) => resource.id === id);
        if (chosen) onChange(chosen);
      }}
    />
  );
}

interface SeriesScopeFieldProps {
  label: string;
  /** The field is hidden for bookings outside a series. */
  booking: Booking;
  value: SeriesScope;
  onChange: (scope: SeriesScope) => void;
}

/** Asks which bookings of a series to change, and shows how many each choice affects. */
export function SeriesScopeField({ label, booking, value, onChange }: SeriesScopeFieldProps) {
  const { data: counts } = useSeriesScopeCounts(booking);
  if (booking.seriesId === null) return null;
  return (
    <Radio.Group label={label} value={value} onChange={(scope) => onChange(scope as SeriesScope)}>
      <Stack gap="xs" mt="xs">
        {SERIES_SCOPES.map((value) => (
          <Radio key={value} value={value} label={formatScope(value, counts)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function formatScope(value: SeriesScope, counts: SeriesScopeCounts | undefined): string {
  const scope = getMemberText(`series.scope.${value}`);
  return counts && value !== 'THIS'
    ? getMemberText('series.scopeCount', { scope, count: counts[value] })
    : scope;
}

type SeriesScopeCounts = Record<Exclude<SeriesScope, 'THIS'>, number>;

const BOOKINGS_OF_SERIES_QUERY = graphql(`
  query BookingsOfSeries($filter: BookingFilter!, $after: String) {
    bookings(first: 100, after: $after, filter: $filter) {
      edges {
        node {
          id
          status
          startsAt
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

const useSeriesScopeCounts = ({ id, seriesId, startsAt }: Booking) =>
  useQuery({
    queryKey: ['bookings', 'series', seriesId, id],
    enabled: seriesId !== null,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const now = new Date().toISOString();
      const filter = { seriesId, from: startsAt < now ? startsAt : now };
      const rows = await fetchAllPages(
        async (after) =>
          (await request(BOOKINGS_OF_SERIES_QUERY, { filter, after }, signal)).bookings,
        signal,
      );
      const others = rows.filter((row) => isActiveBooking(row) && row.id !== id);
      return {
        FOLLOWING: 1 + others.filter((row) => row.startsAt >= startsAt).length,
        ALL: 1 + others.filter((row) => row.startsAt > now).length,
      };
    },
  });
