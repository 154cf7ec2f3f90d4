import { useQuery } from '@tanstack/react-query';
import { useInvalidatingMutation, useRefetchingMutation } from '../../api/mutations.ts';
import { usePagedQuery } from '../../api/paged-query.ts';
import { request } from '../../api/request.ts';
import { notifySuccess } from '../../components/notify.ts';
import { useSecretDialog } from '../../components/SecretDialog.tsx';
import type {
  DisableStaffInput,
  EndStaffSessionsInput,
  InviteStaffInput,
  SetStaffRoleInput,
  StaffUserFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

const PAGE_SIZE = 50;
const STAFF_KEY = ['staff'];
const API_KEYS_KEY = ['api-keys'];

export type StaffUser = StaffUserFragment;

graphql(`
  fragment StaffUser on StaffUser {
    id
    name
    email
    role
    status
    lastActiveAt
    disabledAt
    linkExpiresAt
    activeTokenCount
    isYou
    allowedActions {
      setRole
      resetPassword
      endSessions
      enable
      resendInvitation
      disable
      revokeTokens
      withdrawInvitation
    }
  }
`);

const STAFF_QUERY = graphql(`
  query Staff($first: Int!, $after: String) {
    staff(first: $first, after: $after) {
      edges {
        node {
          ...StaffUser
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

export const useStaffUsers = () =>
  usePagedQuery<StaffUser>({
    queryKey: STAFF_KEY,
    load: async (after, signal) =>
      (await request(STAFF_QUERY, { first: PAGE_SIZE, after }, signal)).staff,
  });

const INVITE_STAFF_MUTATION = graphql(`
  mutation InviteStaff($input: InviteStaffInput!) {
    inviteStaff(input: $input) {
      url
      staffUser {
        ...StaffUser
      }
    }
  }
`);

const RESEND_STAFF_INVITATION_MUTATION = graphql(`
  mutation ResendStaffInvitation($input: ResendStaffInvitationInput!) {
    resendStaffInvitation(input: $input) {
      url
      staffUser {
        ...StaffUser
      }
    }
  }
`);

const RESET_STAFF_PASSWORD_MUTATION = graphql(`
  mutation ResetStaffPassword($input: ResetStaffPasswordInput!) {
    resetStaffPassword(input: $input) {
      url
      staffUser {
        ...StaffUser
      }
    }
  }
`);

const WITHDRAW_STAFF_INVITATION_MUTATION = graphql(`
  mutation WithdrawStaffInvitation($input: WithdrawStaffInvitationInput!) {
    withdrawStaffInvitation(input: $input) {
      deletedStaffUserId
    }
  }
`);

const SET_STAFF_ROLE_MUTATION = graphql(`
  mutation SetStaffRole($input: SetStaffRoleInput!) {
    setStaffRole(input: $input) {
      staffUser {
        ...StaffUser
      }
    }
  }
`);

const DISABLE_STAFF_MUTATION = graphql(`
  mutation DisableStaff($input: DisableStaffInput!) {
    disableStaff(input: $input) {
      staffUser {
        ...StaffUser
      }
    }
  }
`);

const ENABLE_STAFF_MUTATION = graphql(`
  mutation EnableStaff($input: EnableStaffInput!) {
    enableStaff(input: $input) {
      staffUser {
        ...StaffUser
      }
    }
  }
`);

interface StaffLinkResult {
  url: string | null;
  staffUser: StaffUser;
}

/** Confirms that the link was sent, or shows it once if there is no mail server. */
function useLinkMutation<Input>(
  change: (input: Input) => Promise<StaffLinkResult>,
  onSuccess: () => void,
) {
  const show = useSecretDialog();
  return useInvalidatingMutation(change, [STAFF_KEY], ({ url, staffUser: { name, email } }) => {
    onSuccess();
    if (url === null) {
      notifySuccess(`Link sent to ${email}.`);
      return;
    }
    show({
      title: `Send this link to ${name}`,
      explanation: `No mail server is set up, so send the link to ${email} yourself. It sets the password, works once and expires after three days.`,
      label: 'Password link',
      plainText: url,
    });
  });
}

export const useInviteStaff = (onSuccess: () => void) =>
  useLinkMutation(
    async (input: InviteStaffInput) =>
      (await request(INVITE_STAFF_MUTATION, { input })).inviteStaff,
    onSuccess,
  );

export const useResendInvitation = (onSuccess: () => void) =>
  useLinkMutation(
    async (id: string) =>
      (await request(RESEND_STAFF_INVITATION_MUTATION, { input: { id } })).resendStaffInvitation,
    onSuccess,
  );

export const useResetStaffPassword = (onSuccess: () => void) =>
  useLinkMutation(
    async (id: string) =>
      (await request(RESET_STAFF_PASSWORD_MUTATION, { input: { id } })).resetStaffPassword,
    onSuccess,
  );

const STAFF_SESSIONS_QUERY = graphql(`
  query StaffSessions($id: ID!) {
    node(id: $id) {
      ... on StaffUser {
        sessions {
          id
          browser
          createdAt
          lastUsedAt
        }
      }
    }
  }
`);

export const useStaffSessions = (id: string) =>
  useQuery({
    queryKey: [...STAFF_KEY, 'sessions', id],
    staleTime: 0,
    queryFn: async () => {
      const { node } = await request(STAFF_SESSIONS_QUERY, { id });
      return node && 'sessions' in node ? node.sessions : [];
    },
  });

const END_STAFF_SESSIONS_MUTATION = graphql(`
  mutation EndStaffSessions($input: EndStaffSessionsInput!) {
    endStaffSessions(input: $input) {
      staffUser {
        id
      }
    }
  }
`);

export const useEndStaffSessions = (onSuccess: () => void) =>
  useRefetchingMutation(
    (input: EndStaffSessionsInput) => request(END_STAFF_SESSIONS_MUTATION, { input }),
    [STAFF_KEY],
    onSuccess,
  );

export const useWithdrawInvitation = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(WITHDRAW_STAFF_INVITATION_MUTATION, { input: { id } }),
    [STAFF_KEY],
    onSuccess,
  );

export const useSetStaffRole = (onSuccess: () => void) =>
  useRefetchingMutation(
    (input: SetStaffRoleInput) => request(SET_STAFF_ROLE_MUTATION, { input }),
    [STAFF_KEY, API_KEYS_KEY, ['viewer']],
    onSuccess,
  );

export const useDisableStaff = (onSuccess: () => void) =>
  useRefetchingMutation(
    (input: DisableStaffInput) => request(DISABLE_STAFF_MUTATION, { input }),
    [STAFF_KEY, API_KEYS_KEY],
    onSuccess,
  );

export const useEnableStaff = (onSuccess: () => void) =>
  useRefetchingMutation(
    (id: string) => request(ENABLE_STAFF_MUTATION, { input: { id } }),
    [STAFF_KEY],
    onSuccess,
  );
