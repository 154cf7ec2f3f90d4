import { Anchor, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { request } from '../../api/request.ts';
import { formatLocalDateTimeRange, formatTimeZone } from '../../components/format-local-time.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import { SectionCard } from '../../components/SectionCard.tsx';
import { toLocalDate } from '../../components/wall-clock.ts';
import { graphql } from '../../gql/index.ts';

/** Each booking links to its day. */
export function MemberBookings({ member }: { member: { id: string } }) {
  const [from] = useState(() => new Date().toISOString());
  const bookings = useUpcomingBookings(member.id, from);
  return (
    <SectionCard title="Upcoming bookings">
      <QueryBoundary query={bookings} height={60}>
        {({ rows, isMore }) => (
          <>
            {rows.length === 0 && <Text size="sm">No upcoming bookings.</Text>}
            <List size="sm" spacing={4}>
              {rows.map(({ id, startsAt, endsAt, location, resource, status }) => (
                <List.Item key={id}>
                  <Anchor
                    component={Link}
                    size="sm"
                    to={`/bookings?location=${location.id}&day=${toLocalDate(startsAt, location.timeZone)}`}
                  >
                    {resource.name}, {location.name}
                  </Anchor>
                  : {formatLocalDateTimeRange(startsAt, endsAt, location.timeZone)} (
                  {formatTimeZone(location.timeZone)}){status === 'PENDING' && ', needs approval'}
                </List.Item>
              ))}
            </List>
            {isMore && (
              <Text size="sm" c="dimmed">
                More bookings follow.
              </Text>
            )}
          </>
        )}
      </QueryBoundary>
    </SectionCard>
  );
}

const COMING_BOOKINGS_QUERY = graphql(`
  query ComingBookings($filter: BookingFilter!) {
    bookings(first: 50, filter: $filter) {
      edges {
        node {
          ...Booking
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

/** The next active bookings of a member. */
const useUpcomingBookings = (memberId: string, from: string) =>
  useQuery({
    queryKey: ['bookings', 'coming', memberId, from],
    queryFn: async ({ signal }) => {
      const { bookings } = await request(
        COMING_BOOKINGS_QUERY,
        { filter: { memberId, from } },
        signal,
      );
      const rows = bookings.edges
        .map(({ node }) => node)
        .filter(({ status }) => status === 'CONFIRMED' || status === 'PENDING');
      return { rows, isMore: bookings.pageInfo.hasNextPage };
    },
  });
