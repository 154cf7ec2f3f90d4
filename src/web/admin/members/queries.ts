import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRefetchingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
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

const MEMBERS_QUERY = graphql(`
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
  usePagedQuery<Member>({
    queryKey: ['members', filter],
    load: async (after, signal) =>
      (await request(MEMBERS_QUERY, { first: PAGE_SIZE, after, filter }, signal)).members,
  });

const MEMBER_SEARCH_QUERY = graphql(`
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

/** The first members whose name or email matches. */
export const useMemberSearch = (q: string) =>
  useQuery({
    queryKey: ['members', 'search', q],
    queryFn: async ({ signal }) =>
      (await request(MEMBER_SEARCH_QUERY, { q: q || null }, signal)).members.edges.map(
        ({ node }) => node,
      ),
    placeholderData: keepPreviousData,
  });

const MEMBER_PAGE_QUERY = graphql(`
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
    queryFn: async ({ signal }) => (await request(MEMBER_PAGE_QUERY, { id }, signal)).member,
  });

const CREATE_MEMBER_MUTATION = graphql(`
  mutation CreateMember($input: CreateMemberInput!) {
    createMember(input: $input) {
      ...Member
    }
  }
`);

const UPDATE_MEMBER_MUTATION = graphql(`
  mutation UpdateMember($id: ID!, $input: UpdateMemberInput!) {
    updateMember(id: $id, input: $input) {
      ...Member
    }
  }
`);

/** Creates a member, or updates the one with the given id. */
export const useSaveMember = (onSuccess: (member: Member) => void) =>
  useRefetchingMutation(
    async (change: { create: CreateMemberInput } | { id: string; update: UpdateMemberInput }) =>
      'create' in change
        ? (await request(CREATE_MEMBER_MUTATION, { input: change.create })).createMember
        : (await request(UPDATE_MEMBER_MUTATION, { id: change.id, input: change.update }))
            .updateMember,
    [['members'], ['teams']],
    onSuccess,
  );

const RESEND_MEMBER_CONFIRMATION_MUTATION = graphql(`
  mutation ResendMemberConfirmation($id: ID!) {
    resendMemberConfirmation(id: $id) {
      id
    }
  }
`);

export const useResendConfirmation = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(RESEND_MEMBER_CONFIRMATION_MUTATION, { id }),
    [['members']],
    onSuccess,
  );

const APPROVE_MEMBER_EMAIL_CHANGE_MUTATION = graphql(`
  mutation ApproveMemberEmailChange($id: ID!) {
    approveMemberEmailChange(id: $id) {
      id
    }
  }
`);

export const useApproveEmailChange = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(APPROVE_MEMBER_EMAIL_CHANGE_MUTATION, { id }),
    [['members']],
    onSuccess,
  );

const CANCEL_MEMBER_EMAIL_CHANGE_MUTATION = graphql(`
  mutation CancelMemberEmailChange($id: ID!) {
    cancelMemberEmailChange(id: $id) {
      id
    }
  }
`);

export const useCancelEmailChange = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(CANCEL_MEMBER_EMAIL_CHANGE_MUTATION, { id }),
    [['members']],
    onSuccess,
  );
