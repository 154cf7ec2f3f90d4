import { useInvalidatingMutation } from '../../api/mutations.ts';
import { fetchRemainingPages } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  CreateDiscountCodeInput,
  DiscountCodePageFragment,
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
    allowedActions {
      update
      delete
    }
  }
`);

graphql(`
  fragment DiscountCodePage on DiscountCodeConnection {
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
`);

const DISCOUNT_CODES_QUERY = graphql(`
  query DiscountCodes($filter: DiscountCodeFilter, $after: String) {
    discountCodes(first: 100, after: $after, filter: $filter) {
      ...DiscountCodePage
    }
  }
`);

/**
 * Adds the codes that did not fit into the first page, which came with other data. Null means the codes for all events and
 * day passes.
 */
export async function fetchRemainingDiscountCodes(
  eventId: string | null,
  first: DiscountCodePageFragment,
  signal: AbortSignal,
): Promise<DiscountCode[]> {
  const codes = await fetchRemainingPages<DiscountCode>(
    first,
    async (after) =>
      (await request(DISCOUNT_CODES_QUERY, { filter: { eventId }, after }, signal)).discountCodes,
    signal,
  );
  return codes.filter((code) => code.eventId === eventId);
}

/** The queries that load discount codes. */
const DISCOUNT_QUERY_KEYS = [['events', 'one'], ['day-passes']];

const CREATE_DISCOUNT_CODE_MUTATION = graphql(`
  mutation CreateDiscountCode($input: CreateDiscountCodeInput!) {
    createDiscountCode(input: $input) {
      discountCode {
        ...DiscountInList
      }
    }
  }
`);

const UPDATE_DISCOUNT_CODE_MUTATION = graphql(`
  mutation UpdateDiscountCode($input: UpdateDiscountCodeInput!) {
    updateDiscountCode(input: $input) {
      discountCode {
        ...DiscountInList
      }
    }
  }
`);

const DELETE_DISCOUNT_CODE_MUTATION = graphql(`
  mutation DeleteDiscountCode($id: ID!) {
    deleteDiscountCode(input: { id: $id }) {
      deletedDiscountCodeId
    }
  }
`);

export const useCreateDiscountCode = (onSuccess: (code: DiscountCode) => void) =>
  useInvalidatingMutation(
    async (input: CreateDiscountCodeInput) =>
      (await request(CREATE_DISCOUNT_CODE_MUTATION, { input })).createDiscountCode.discountCode,
    DISCOUNT_QUERY_KEYS,
    onSuccess,
  );

export const useUpdateDiscountCode = (onSuccess: (code: DiscountCode) => void) =>
  useInvalidatingMutation(
    async (input: UpdateDiscountCodeInput) =>
      (await request(UPDATE_DISCOUNT_CODE_MUTATION, { input })).updateDiscountCode.discountCode,
    DISCOUNT_QUERY_KEYS,
    onSuccess,
  );

export const useDeleteDiscountCode = (onSuccess: () => void) =>
  useInvalidatingMutation(
    (id: string) => request(DELETE_DISCOUNT_CODE_MUTATION, { id }),
    DISCOUNT_QUERY_KEYS,
    onSuccess,
  );
