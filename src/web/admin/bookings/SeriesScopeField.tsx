import { Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { fetchAllPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type { SeriesScope } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { isActiveBooking, SERIES_SCOPE_OPTIONS } from './booking-labels.ts';
import type { Booking } from './queries.ts';

interface Props {
  label: string;
  /** The field is hidden for bookings outside a series. */
  booking: Booking;
  value: SeriesScope;
  onChange: (scope: SeriesScope) => void;
}

/** Each choice shows how many bookings it affects. */
export function SeriesScopeField({ label, booking, value, onChange }: Props) {
  const { data: counts } = useSeriesScopeCounts(booking);
  if (booking.seriesId === null) return null;
  return (
    <Radio.Group label={label} value={value} onChange={(scope) => onChange(scope as SeriesScope)}>
      <Stack gap="xs" mt="xs">
        {SERIES_SCOPE_OPTIONS.map(({ value, label }) => (
          <Radio
            key={value}
            value={value}
            label={counts && value !== 'THIS' ? `${label}: ${counts[value]} bookings` : label}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

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

/** Counts the bookings that each scope affects, including this one. */
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
