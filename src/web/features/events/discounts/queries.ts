import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../../api/change.ts';
import { everyPage } from '../../../api/pages.ts';
import { request } from '../../../api/request.ts';
import type {
  CreateDiscountCodeInput,
  DiscountInListFragment,
  UpdateDiscountCodeInput,
} from '../../../gql/graphql.ts';
import { graphql } from '../../../gql/index.ts';

export type DiscountCode = DiscountInListFragment;

graphql(`
  fragment DiscountInList on DiscountCode {
    id
    code
    eventId
    percent
    amount {
      amount
      currency
    }
    maxUses
    uses
    startsAt
    endsAt
    active
  }
`);

const LIST = graphql(`
  query DiscountCodes($filter: DiscountCodeFilter, $after: String) {
    discountCodes(first: 100, after: $after, filter: $filter) {
      edges {
        node {
          ...DiscountInList
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

/** Those of one event; null: those that count for every event and for day passes. */
export const useDiscountCodes = (eventId: string | null) =>
  useQuery({
    queryKey: ['discounts', eventId],
    queryFn: async ({ signal }) => {
      const codes = await everyPage<DiscountCode>(
        async (after) =>
          (await request(LIST, { filter: { eventId }, after }, signal)).discountCodes,
        signal,
      );
      return codes.filter((code) => code.eventId === eventId);
    },
  });

const CREATE = graphql(`
  mutation CreateDiscountCode($input: CreateDiscountCodeInput!) {
    createDiscountCode(input: $input) {
      ...DiscountInList
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateDiscountCode($id: ID!, $input: UpdateDiscountCodeInput!) {
    updateDiscountCode(id: $id, input: $input) {
      ...DiscountInList
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteDiscountCode($id: ID!) {
    deleteDiscountCode(id: $id) {
      id
    }
  }
`);

export const useCreateDiscountCode = (onSuccess: (code: DiscountCode) => void) =>
  useChange(
    async (input: CreateDiscountCodeInput) => (await request(CREATE, { input })).createDiscountCode,
    [['discounts']],
    onSuccess,
  );

export const useUpdateDiscountCode = (onSuccess: (code: DiscountCode) => void) =>
  useChange(
    async (change: { id: string; input: UpdateDiscountCodeInput }) =>
      (await request(UPDATE, change)).updateDiscountCode,
    [['discounts']],
    onSuccess,
  );

export const useDeleteDiscountCode = (onSuccess: () => void) =>
  useChange((id: string) => request(DELETE, { id }), [['discounts']], onSuccess);
