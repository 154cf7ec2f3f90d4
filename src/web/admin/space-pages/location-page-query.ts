import { useQuery } from '@tanstack/react-query';
import { toLocalDate } from '../../../core/time/time-zone.ts';
import { request } from '../../api/request.ts';
import { can, useStaffViewer } from '../../app/session/viewer.ts';
import type { LocationPageQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { fetchRemainingResources } from '../spaces/resource-queries.ts';

export type LocationPageDetails = LocationPageQuery['location'];

graphql(`
  fragment DisplayOfPlace on Display {
    id
    name
    kind
    status
    lastSeenAt
    resource {
      id
      name
    }
  }
`);

const LOCATION_PAGE_QUERY = graphql(`
  query LocationPage(
    $id: ID!
    $today: Date
    $now: DateTime!
    $canChange: Boolean!
    $canReadEvents: Boolean!
    $canReadDisplays: Boolean!
    $canReadDayPasses: Boolean!
    $canReadCheckIns: Boolean!
  ) {
    location(id: $id) {
      ...Location
      closures(from: $today) {
        ...Closure
        bookingsAffected @include(if: $canChange)
      }
      resources(first: 50) {
        ...ResourceListPage
      }
      events(first: 5) @include(if: $canReadEvents) {
        nodes {
          ...EventInList
        }
        totalCount {
          value
          text
        }
      }
      displays(first: 10, filter: { revoked: false }) @include(if: $canReadDisplays) {
        nodes {
          ...DisplayOfPlace
        }
        totalCount {
          value
          text
        }
      }
      announcements(first: 5, filter: { from: $now }) @include(if: $canReadDisplays) {
        nodes {
          ...Announcement
        }
        totalCount {
          value
          text
        }
      }
      dayPassTypes(includeInactive: true) @include(if: $canReadDayPasses) {
        id
        name
        description
        active
        dailyCapacity
        price {
          amount
          currency
        }
        stock {
          left
          reason
        }
      }
      occupancy @include(if: $canReadCheckIns) {
        present
        capacity
      }
    }
  }
`);

/** Loads a location with its resources and what the viewer can see of its events, displays and day passes. */
export function useLocation(id: string) {
  const viewer = useStaffViewer();
  return useQuery({
    queryKey: ['locations', id],
    staleTime: 0, // other pages change events, displays and day passes
    queryFn: async ({ signal }) => {
      const now = new Date();
      const variables = {
        id,
        today: toLocalDate(now, 'UTC'),
        now: now.toISOString(),
        canChange: can(viewer, 'spaces:write'),
        canReadEvents: can(viewer, 'events:read'),
        canReadDisplays: can(viewer, 'displays:read'),
        canReadDayPasses: can(viewer, 'day-passes:read'),
        canReadCheckIns: can(viewer, 'check-ins:read'),
      };
      const { location } = await request(LOCATION_PAGE_QUERY, variables, signal);
      return { location, resources: await fetchRemainingResources(id, location.resources, signal) };
    },
  });
}
