import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSeenChange } from '../../api/change.ts';
import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type {
  CreateMemberInput,
  MemberFilter,
  MemberFragment,
  MemberPageQuery,
  UpdateMemberInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 50;

export type Member = MemberFragment;
export type MemberDetails = MemberPageQuery['member'];

graphql(`
  fragment Member on Member {
    id
    name
    email
    phone
    company
    status
    team {
      id
      name
    }
  }
`);

const LIST = graphql(`
  query Members($first: Int!, $after: String, $filter: MemberFilter) {
    members(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          ...Member
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useMembers = (filter: MemberFilter) =>
  usePages<Member>({
    queryKey: ['members', filter],
    load: async (after, signal) =>
      (await request(LIST, { first: PAGE_SIZE, after, filter }, signal)).members,
  });

const SEARCH = graphql(`
  query MemberSearch($q: String) {
    members(first: 10, filter: { q: $q }) {
      edges {
        node {
          id
          name
          email
          status
        }
      }
    }
  }
`);

/** The first few whose name or address holds these letters. */
export const useMemberSearch = (q: string) =>
  useQuery({
    queryKey: ['members', 'search', q],
    queryFn: async ({ signal }) =>
      (await request(SEARCH, { q: q || null }, signal)).members.edges.map(({ node }) => node),
    placeholderData: keepPreviousData,
  });

const ONE = graphql(`
  query MemberPage($id: ID!) {
    member(id: $id) {
      ...Member
      code
      createdAt
      emailConfirmed
      emailChange {
        email
        confirmedAt
        approvedAt
        expiresAt
      }
      memberships {
        ...Membership
      }
      currentMembership {
        ...Membership
      }
    }
  }
`);

export const useMember = (id: string) =>
  useQuery({
    queryKey: ['members', 'one', id],
    queryFn: async ({ signal }) => (await request(ONE, { id }, signal)).member,
  });

const CREATE = graphql(`
  mutation CreateMember($input: CreateMemberInput!) {
    createMember(input: $input) {
      ...Member
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateMember($id: ID!, $input: UpdateMemberInput!) {
    updateMember(id: $id, input: $input) {
      ...Member
    }
  }
`);

/** Makes one, or changes the one that is named. */
export const useSaveMember = (onSuccess: (member: Member) => void) =>
  useSeenChange(
    async (change: { create: CreateMemberInput } | { id: string; update: UpdateMemberInput }) =>
      'create' in change
        ? (await request(CREATE, { input: change.create })).createMember
        : (await request(UPDATE, { id: change.id, input: change.update })).updateMember,
    [['members'], ['teams']],
    onSuccess,
  );

const RESEND = graphql(`
  mutation ResendMemberConfirmation($id: ID!) {
    resendMemberConfirmation(id: $id) {
      id
    }
  }
`);

export const useResendConfirmation = (onSuccess: () => void) =>
  useSeenChange((id: string) => request(RESEND, { id }), [['members']], onSuccess);

const APPROVE = graphql(`
  mutation ApproveMemberEmailChange($id: ID!) {
    approveMemberEmailChange(id: $id) {
      id
    }
  }
`);

export const useApproveEmailChange = (onSuccess: () => void) =>
  useSeenChange((id: string) => request(APPROVE, { id }), [['members']], onSuccess);

const CANCEL = graphql(`
  mutation CancelMemberEmailChange($id: ID!) {
    cancelMemberEmailChange(id: $id) {
      id
    }
  }
`);

export const useCancelEmailChange = (onSuccess: () => void) =>
  useSeenChange((id: string) => request(CANCEL, { id }), [['members']], onSuccess);
