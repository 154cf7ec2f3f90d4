import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation, useRefetchingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  DataSubjectInput,
  ErasePersonalDataInput,
  ErasuresQuery,
  PersonalDataQuery,
  RetentionPoliciesQuery,
  UpdateRetentionPolicyInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 25;
const SUMMARIES_KEY = ['personal-data'];
const ERASURES_KEY = ['erasures'];
const POLICIES_KEY = ['retention-policies'];

/** The person to find: exactly one of email, member and name. */
export type PersonSearch = DataSubjectInput;
export type PersonSummary = PersonalDataQuery['personalData'];
export type RetentionPolicy = RetentionPoliciesQuery['retentionPolicies'][number];
export type Erasure = ErasuresQuery['erasures']['edges'][number]['node'];

const PERSONAL_DATA_QUERY = graphql(`
  query PersonalData($person: DataSubjectInput!) {
    personalData(person: $person) {
      emails
      names
      otherEmails
      counts {
        table
        count
      }
      openBookings
      openMemberships
      mentions {
        table
        id
      }
    }
  }
`);

export const usePersonSummary = (person: PersonSearch) =>
  useQuery({
    queryKey: [...SUMMARIES_KEY, person],
    queryFn: async ({ signal }) =>
      (await request(PERSONAL_DATA_QUERY, { person }, signal)).personalData,
    gcTime: 0,
  });

const EXPORT_PERSONAL_DATA_MUTATION = graphql(`
  mutation ExportPersonalData($input: DataSubjectInput!) {
    exportPersonalData(input: $input) {
      fileName
      json
    }
  }
`);

export const useExportPerson = (onDone: (file: { fileName: string; json: string }) => void) =>
  useInvalidatingMutation(
    async (input: PersonSearch) =>
      (await request(EXPORT_PERSONAL_DATA_MUTATION, { input })).exportPersonalData,
    [],
    onDone,
  );

const ERASE_PERSONAL_DATA_MUTATION = graphql(`
  mutation ErasePersonalData($input: ErasePersonalDataInput!) {
    erasePersonalData(input: $input) {
      id
      otherEmails
      mentions {
        table
        id
      }
    }
  }
`);

/** Clears all queries, as any of them may contain the person. */
export const useErasePerson = (
  onDone: (result: { otherEmails: string[]; mentions: object[] }) => void,
) =>
  useRefetchingMutation(
    async (input: ErasePersonalDataInput) =>
      (await request(ERASE_PERSONAL_DATA_MUTATION, { input })).erasePersonalData,
    [SUMMARIES_KEY, ERASURES_KEY, ['members'], ['member'], ['bookings'], ['orders']],
    onDone,
  );

const ERASURES_QUERY = graphql(`
  query Erasures($first: Int!, $after: String) {
    erasures(first: $first, after: $after) {
      edges {
        node {
          id
          createdAt
          erasedBy
          reason
          counts {
            table
            count
          }
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useErasures = () =>
  usePagedQuery<Erasure>({
    queryKey: ERASURES_KEY,
    load: async (after, signal) =>
      (await request(ERASURES_QUERY, { first: PAGE_SIZE, after }, signal)).erasures,
  });

const RETENTION_POLICIES_QUERY = graphql(`
  query RetentionPolicies {
    retentionPolicies {
      key
      title
      description
      days
      defaultDays
      minDays
      maxDays
      canKeepForever
    }
  }
`);

export const useRetentionPolicies = () =>
  useQuery({
    queryKey: POLICIES_KEY,
    queryFn: async () => (await request(RETENTION_POLICIES_QUERY)).retentionPolicies,
  });

const UPDATE_RETENTION_POLICY_MUTATION = graphql(`
  mutation UpdateRetentionPolicy($input: UpdateRetentionPolicyInput!) {
    updateRetentionPolicy(input: $input) {
      key
      days
    }
  }
`);

export const useUpdateRetentionPolicy = (onDone: () => void) =>
  useRefetchingMutation(
    (input: UpdateRetentionPolicyInput) => request(UPDATE_RETENTION_POLICY_MUTATION, { input }),
    [POLICIES_KEY],
    onDone,
  );
