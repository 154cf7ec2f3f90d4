import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation, useRefetchingMutation } from '../../api/mutations.ts';
import { type Connection, usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  DataSubjectInput,
  ErasePersonalDataInput,
  PersonalDataPageQuery,
  PersonalDataQuery,
  UpdateRetentionPolicyInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 25;
const SUMMARIES_KEY = ['personal-data'];
/** The query of the page, with erasures and retention policies. */
const ERASURES_KEY = ['erasures'];

/** The person to find: exactly one of email, member and name. */
export type PersonSearch = DataSubjectInput;
export type PersonSummary = PersonalDataQuery['personalData'];
export type RetentionPolicy = NonNullable<PersonalDataPageQuery['retentionPolicies']>[number];
export type Erasure = PersonalDataPageQuery['erasures']['edges'][number]['node'];

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
      disputedOrders
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
  mutation ExportPersonalData($input: ExportPersonalDataInput!) {
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
      disputedOrders
    }
  }
`);

/** Refetches the queries that may contain the person. */
export const useErasePerson = (onDone: (result: { disputedOrders: string[] }) => void) =>
  useRefetchingMutation(
    async (input: ErasePersonalDataInput) =>
      (await request(ERASE_PERSONAL_DATA_MUTATION, { input })).erasePersonalData,
    [SUMMARIES_KEY, ERASURES_KEY, ['members'], ['member'], ['bookings'], ['orders']],
    onDone,
  );

const PERSONAL_DATA_PAGE_QUERY = graphql(`
  query PersonalDataPage($first: Int!, $after: String, $isFirstPage: Boolean!) {
    erasures(first: $first, after: $after) {
      edges {
        node {
          id
          createdAt
          requestedBy {
            name
          }
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
    retentionPolicies @include(if: $isFirstPage) {
      key
      title
      description
      days
      defaultDays
      minDays
      maxDays
      canKeepForever
      updatedAt
    }
  }
`);

/** A page of erasures. Only the first one has the retention policies. */
interface ErasurePage extends Connection<Erasure> {
  retentionPolicies: RetentionPolicy[];
}

export const useErasures = () =>
  usePagedQuery<Erasure, ErasurePage>({
    queryKey: ERASURES_KEY,
    load: async (after, signal) => {
      const variables = { first: PAGE_SIZE, after, isFirstPage: after === null };
      const data = await request(PERSONAL_DATA_PAGE_QUERY, variables, signal);
      return { ...data.erasures, retentionPolicies: data.retentionPolicies ?? [] };
    },
  });

const UPDATE_RETENTION_POLICY_MUTATION = graphql(`
  mutation UpdateRetentionPolicy($input: UpdateRetentionPolicyInput!) {
    updateRetentionPolicy(input: $input) {
      retentionPolicy {
        key
        days
      }
    }
  }
`);

export const useUpdateRetentionPolicy = (onDone: () => void) =>
  useRefetchingMutation(
    (input: UpdateRetentionPolicyInput) => request(UPDATE_RETENTION_POLICY_MUTATION, { input }),
    [ERASURES_KEY],
    onDone,
  );
