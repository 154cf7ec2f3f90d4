import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type RecordChange, useRefetchingMutation } from '../../api/mutations.ts';
import { type Connection, usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import type {
  CreateMemberInput,
  MemberFilter,
  MemberFragment,
  MembersQuery,
  UpdateMemberInput,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { fetchRemainingTeams, type TeamChoice } from '../teams/queries.ts';
import type { ExportedMember } from './member-csv.ts';

const PAGE_SIZE = 50;

export type Member = MemberFragment;

graphql(`
  fragment Member on Member {
    id
    updatedAt
    name
    email
    phone
    company
    address
    postcode
    city
    country
    customerNumber
    status
    team {
      id
      name
    }
  }
`);

const MEMBERS_QUERY = graphql(`
  query Members($first: Int!, $after: String, $filter: MemberFilter, $isFirstPage: Boolean!, $canReadPlans: Boolean!, $needsPlans: Boolean!) {
    members(first: $first, after: $after, filter: $filter) {
      edges {
        node {
          ...Member
          currentMembership @include(if: $canReadPlans) {
            id
            plan {
              id
              name
            }
          }
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
    teams(first: 100) @include(if: $isFirstPage) {
      ...TeamChoices
    }
    plans(first: 100) @include(if: $needsPlans) {
      nodes {
        id
        name
      }
    }
  }
`);

export type ListedMember = MembersQuery['members']['edges'][number]['node'];

interface MembersPage extends Connection<ListedMember> {
  /** The options of the filters. Only the first page has them. */
  teams: TeamChoice[];
  plans: { id: string; name: string }[];
}

export const useMembers = (filter: MemberFilter, canReadPlans: boolean) =>
  usePagedQuery<ListedMember, MembersPage>({
    queryKey: ['members', filter, canReadPlans],
    load: async (after, signal) => {
      const variables = {
        ...{ first: PAGE_SIZE, after, filter, canReadPlans },
        isFirstPage: after === null,
        needsPlans: after === null && canReadPlans,
      };
      const { members, teams, plans } = await request(MEMBERS_QUERY, variables, signal);
      return {
        ...members,
        teams: teams ? await fetchRemainingTeams(teams, signal) : [],
        plans: plans?.nodes ?? [],
      };
    },
  });

const MEMBER_SEARCH_QUERY = graphql(`
  query MemberSearch($q: String) {
    members(first: 10, filter: { q: $q, erased: false }) {
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

const MEMBER_EXPORT_QUERY = graphql(`
  query MemberExport($after: String, $filter: MemberFilter, $canReadPlans: Boolean!) {
    members(first: 100, after: $after, filter: $filter) {
      edges {
        node {
          ...Member
          currentMembership @include(if: $canReadPlans) {
            startsOn
            endsOn
            member {
              id
            }
            plan {
              name
              price {
                amount
                currency
              }
            }
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

export const fetchExportedMembers = async (
  filter: MemberFilter,
  canReadPlans: boolean,
  { after, signal }: { after: string | null; signal: AbortSignal },
): Promise<Connection<ExportedMember>> =>
  (await request(MEMBER_EXPORT_QUERY, { filter, canReadPlans, after }, signal)).members;

/** The first ten members who match. */
export const useMemberSearch = (q: string, enabled: boolean) =>
  useQuery({
    queryKey: ['members', 'search', q],
    enabled,
    queryFn: async ({ signal }) =>
      (await request(MEMBER_SEARCH_QUERY, { q: q || null }, signal)).members.edges.map(
        ({ node }) => node,
      ),
    placeholderData: keepPreviousData,
  });

const EMAIL_DELIVERY_QUERY = graphql(`
  query EmailDelivery {
    emailDelivery {
      hasMailServer
      welcomesMembers
    }
  }
`);

export const NO_MAIL_SERVER =
  'No email can be sent, because Foyer has no mail server. Set SMTP_URL, then members can sign in under /my.';

/** Which emails the service can send. */
export const useEmailDelivery = (enabled: boolean) =>
  useQuery({
    enabled,
    queryKey: ['email-templates', 'delivery'],
    queryFn: async () => (await request(EMAIL_DELIVERY_QUERY)).emailDelivery,
  });

const SEND_MEMBER_SIGN_IN_LINK_MUTATION = graphql(`
  mutation SendMemberSignInLink($id: ID!) {
    sendMemberSignInLink(input: { id: $id }) {
      member {
        id
      }
    }
  }
`);

export const useSendSignInLink = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(SEND_MEMBER_SIGN_IN_LINK_MUTATION, { id }),
    [['members']],
    onSuccess,
  );

const END_MEMBER_SESSIONS_MUTATION = graphql(`
  mutation EndMemberSessions($id: ID!) {
    endMemberSessions(input: { id: $id }) {
      member {
        id
      }
    }
  }
`);

export const useEndMemberSessions = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(END_MEMBER_SESSIONS_MUTATION, { id }),
    [['members']],
    onSuccess,
  );

const CREATE_MEMBER_MUTATION = graphql(`
  mutation CreateMember($input: CreateMemberInput!) {
    createMember(input: $input) {
      member {
        ...Member
      }
    }
  }
`);

const UPDATE_MEMBER_MUTATION = graphql(`
  mutation UpdateMember($input: UpdateMemberInput!) {
    updateMember(input: $input) {
      member {
        ...Member
      }
    }
  }
`);

/** Creates a member, or updates the one with the given id. */
export const useSaveMember = (onSuccess: (member: Member) => void) =>
  useRefetchingMutation(
    async (change: RecordChange<CreateMemberInput, UpdateMemberInput>) =>
      'create' in change
        ? (await request(CREATE_MEMBER_MUTATION, { input: change.create })).createMember.member
        : (await request(UPDATE_MEMBER_MUTATION, { input: change.update })).updateMember.member,
    [['members'], ['teams']],
    onSuccess,
  );

const RESEND_MEMBER_CONFIRMATION_MUTATION = graphql(`
  mutation ResendMemberConfirmation($id: ID!) {
    resendMemberConfirmation(input: { id: $id }) {
      member {
        id
      }
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
  mutation ApproveMemberEmailChange($input: ApproveMemberEmailChangeInput!) {
    approveMemberEmailChange(input: $input) {
      member {
        id
      }
    }
  }
`);

export const useApproveEmailChange = (onSuccess: () => void) =>
  useRefetchingMutation(
    (input: { id: string; email: string }) =>
      request(APPROVE_MEMBER_EMAIL_CHANGE_MUTATION, { input }),
    [['members']],
    onSuccess,
  );

const CANCEL_MEMBER_EMAIL_CHANGE_MUTATION = graphql(`
  mutation CancelMemberEmailChange($id: ID!) {
    cancelMemberEmailChange(input: { id: $id }) {
      member {
        id
      }
    }
  }
`);

export const useCancelEmailChange = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(CANCEL_MEMBER_EMAIL_CHANGE_MUTATION, { id }),
    [['members']],
    onSuccess,
  );
