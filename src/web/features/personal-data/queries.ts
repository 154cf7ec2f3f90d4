import { useQuery } from '@tanstack/react-query';
import { useChange, useSeenChange } from '../../api/change.ts';
import { usePages } from '../../api/pages.ts';
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
const SUMMARIES = ['personal-data'];
const ERASURES = ['erasures'];
const POLICIES = ['retention-policies'];

/** Whom staff asks for: exactly one of address, member and name. */
export type PersonSearch = DataSubjectInput;
export type PersonSummary = PersonalDataQuery['personalData'];
export type RetentionPolicy = RetentionPoliciesQuery['retentionPolicies'][number];
export type Erasure = ErasuresQuery['erasures']['edges'][number]['node'];

const SUMMARY = graphql(`
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
    queryKey: [...SUMMARIES, person],
    queryFn: async ({ signal }) => (await request(SUMMARY, { person }, signal)).personalData,
    gcTime: 0,
  });

const EXPORT = graphql(`
  mutation ExportPersonalData($input: DataSubjectInput!) {
    exportPersonalData(input: $input) {
      fileName
      json
    }
  }
`);

export const useExportPerson = (onDone: (file: { fileName: string; json: string }) => void) =>
  useChange(
    async (input: PersonSearch) => (await request(EXPORT, { input })).exportPersonalData,
    [],
    onDone,
  );

const ERASE = graphql(`
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

/** Whatever was read before may name the person. */
export const useErasePerson = (
  onDone: (result: { otherEmails: string[]; mentions: object[] }) => void,
) =>
  useSeenChange(
    async (input: ErasePersonalDataInput) => (await request(ERASE, { input })).erasePersonalData,
    [SUMMARIES, ERASURES, ['members'], ['member'], ['bookings'], ['orders']],
    onDone,
  );

const LIST = graphql(`
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
  usePages<Erasure>({
    queryKey: ERASURES,
    load: async (after, signal) =>
      (await request(LIST, { first: PAGE_SIZE, after }, signal)).erasures,
  });

const RETENTION = graphql(`
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
    queryKey: POLICIES,
    queryFn: async () => (await request(RETENTION)).retentionPolicies,
  });

const UPDATE = graphql(`
  mutation UpdateRetentionPolicy($input: UpdateRetentionPolicyInput!) {
    updateRetentionPolicy(input: $input) {
      key
      days
    }
  }
`);

export const useUpdateRetentionPolicy = (onDone: () => void) =>
  useSeenChange(
    (input: UpdateRetentionPolicyInput) => request(UPDATE, { input }),
    [POLICIES],
    onDone,
  );
