import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/request.ts';
import type { OwnEntryFragment } from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

export type OwnEntry = OwnEntryFragment;

graphql(`
  fragment OwnEntry on OwnWaitlistEntry {
    status
    quantity
    acceptsFewer
    offeredQuantity
    offeredUntil
    maxQuantity
    allowedActions {
      change
      leave
    }
    ticketTypeName
    eventTitle
    timeZone
  }
`);

const OWN_ENTRY_QUERY = graphql(`
  query OwnWaitlistEntry($secret: String!) {
    waitlistEntry(secret: $secret) {
      ...OwnEntry
    }
  }
`);

const CHANGE_ENTRY_MUTATION = graphql(`
  mutation ChangeWaitlistEntry($input: ChangeWaitlistEntryInput!) {
    changeWaitlistEntry(input: $input) {
      waitlistEntry {
        ...OwnEntry
      }
    }
  }
`);

const LEAVE_WAITLIST_MUTATION = graphql(`
  mutation LeaveWaitlist($secret: String!) {
    leaveWaitlist(input: { secret: $secret }) {
      quantity
    }
  }
`);

const toKey = (secret: string) => ['own-waitlist-entry', secret];

export const useOwnEntry = (secret: string) =>
  useQuery({
    queryKey: toKey(secret),
    queryFn: async ({ signal }) =>
      (await request(OWN_ENTRY_QUERY, { secret }, signal)).waitlistEntry,
  });

export function useChangeEntry(secret: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (changes: { quantity: number; acceptsFewer: boolean }) =>
      request(CHANGE_ENTRY_MUTATION, { input: { secret, ...changes } }),
    onSuccess: ({ changeWaitlistEntry }) =>
      cache.setQueryData(toKey(secret), changeWaitlistEntry.waitlistEntry),
    gcTime: 0,
  });
}

export const leaveWaitlist = (secret: string) => request(LEAVE_WAITLIST_MUTATION, { secret });
