import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation } from '../../api/mutations.ts';
import { fetchAllPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  CreateDiscountCodeInput,
  DiscountInListFragment,
  UpdateDiscountCodeInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

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

const DISCOUNT_CODES_QUERY = graphql(`
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

/** The codes of one event. Null means the codes for all events and day passes. */
export const useDiscountCodes = (eventId: string | null) =>
  useQuery({
    queryKey: ['discounts', eventId],
    queryFn: async ({ signal }) => {
      const codes = await fetchAllPages<DiscountCode>(
        async (after) =>
          (await request(DISCOUNT_CODES_QUERY, { filter: { eventId }, after }, signal))
            .discountCodes,
        signal,
      );
      return codes.filter((code) => code.eventId === eventId);
    },
  });

const CREATE_DISCOUNT_CODE_MUTATION = graphql(`
  mutation CreateDiscountCode($input: CreateDiscountCodeInput!) {
    createDiscountCode(input: $input) {
      ...DiscountInList
    }
  }
`);

const UPDATE_DISCOUNT_CODE_MUTATION = graphql(`
  mutation UpdateDiscountCode($id: ID!, $input: UpdateDiscountCodeInput!) {
    updateDiscountCode(id: $id, input: $input) {
      ...DiscountInList
    }
  }
`);

const DELETE_DISCOUNT_CODE_MUTATION = graphql(`
  mutation DeleteDiscountCode($id: ID!) {
    deleteDiscountCode(id: $id) {
      id
    }
  }
`);

export const useCreateDiscountCode = (onSuccess: (code: DiscountCode) => void) =>
  useInvalidatingMutation(
    async (input: CreateDiscountCodeInput) =>
      (await request(CREATE_DISCOUNT_CODE_MUTATION, { input })).createDiscountCode,
    [['discounts']],
    onSuccess,
  );

export const useUpdateDiscountCode = (onSuccess: (code: DiscountCode) => void) =>
  useInvalidatingMutation(
    async (change: { id: string; input: UpdateDiscountCodeInput }) =>
      (await request(UPDATE_DISCOUNT_CODE_MUTATION, change)).updateDiscountCode,
    [['discounts']],
    onSuccess,
  );

export const useDeleteDiscountCode = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(DELETE_DISCOUNT_CODE_MUTATION, { id }),
    [['discounts']],
    onSuccess,
  );
