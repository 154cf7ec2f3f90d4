import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { request } from '../../api/request.ts';
import type { HoldsOfEventQuery } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { AFFECTED } from './changes.ts';

export type HoldGroup = HoldsOfEventQuery['suspiciousHolds'][number];

const REFRESH_MS = 60_000;

const LIST = graphql(`
  query HoldsOfEvent($eventId: ID!) {
    suspiciousHolds(eventId: $eventId) {
      key
      kind
      orders
      waitlistEntries
      seats
      emails
      lastAt
    }
  }
`);

const RELEASE = graphql(`
  mutation ReleaseHolds($input: ReleaseHoldsInput!) {
    releaseHolds(input: $input) {
      orders
      waitlistEntries
    }
  }
`);

export const useHolds = (eventId: string) =>
  useQuery({
    queryKey: ['orders', 'holds', eventId],
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => (await request(LIST, { eventId }, signal)).suspiciousHolds,
  });

export const useReleaseHolds = (onSuccess: () => void) =>
  useChange(
    (input: { eventId: string; key: string }) => request(RELEASE, { input }),
    AFFECTED,
    onSuccess,
  );
