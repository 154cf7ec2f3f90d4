import { useChange, useSeenChange } from '../../api/change.ts';
import { usePages } from '../../api/pages.ts';
import { request } from '../../api/request.ts';
import type {
  DisableStaffInput,
  InviteStaffInput,
  SetStaffRoleInput,
  StaffUserFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';
import { notifyDone } from '../../ui/notify.ts';
import { useSecret } from '../../ui/secret/use-secret.ts';

const PAGE_SIZE = 50;
const STAFF = ['staff'];
const API_KEYS = ['api-keys'];

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
  }
`);

const LIST = graphql(`
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
  usePages<StaffUser>({
    queryKey: STAFF,
    load: async (after, signal) => (await request(LIST, { first: PAGE_SIZE, after }, signal)).staff,
  });

const INVITE = graphql(`
  mutation InviteStaff($input: InviteStaffInput!) {
    inviteStaff(input: $input) {
      url
      staffUser {
        ...StaffUser
      }
    }
  }
`);

const RESEND = graphql(`
  mutation ResendStaffInvitation($input: StaffUserInput!) {
    resendStaffInvitation(input: $input) {
      url
      staffUser {
        ...StaffUser
      }
    }
  }
`);

const RESET = graphql(`
  mutation ResetStaffPassword($input: StaffUserInput!) {
    resetStaffPassword(input: $input) {
      url
      staffUser {
        ...StaffUser
      }
    }
  }
`);

const WITHDRAW = graphql(`
  mutation WithdrawStaffInvitation($input: StaffUserInput!) {
    withdrawStaffInvitation(input: $input) {
      ...StaffUser
    }
  }
`);

const SET_ROLE = graphql(`
  mutation SetStaffRole($input: SetStaffRoleInput!) {
    setStaffRole(input: $input) {
      ...StaffUser
    }
  }
`);

const DISABLE = graphql(`
  mutation DisableStaff($input: DisableStaffInput!) {
    disableStaff(input: $input) {
      ...StaffUser
    }
  }
`);

const ENABLE = graphql(`
  mutation EnableStaff($input: StaffUserInput!) {
    enableStaff(input: $input) {
      ...StaffUser
    }
  }
`);

interface IssuedLink {
  url: string | null;
  staffUser: StaffUser;
}

/** Where a mail server sends the link, it says so; otherwise it shows the link once. */
function useLinkChange<Input>(
  change: (input: Input) => Promise<IssuedLink>,
  onSuccess: () => void,
) {
  const show = useSecret();
  return useChange(change, [STAFF], ({ url, staffUser: { name, email } }) => {
    onSuccess();
    if (url === null) {
      notifyDone(`A link is on its way to ${email}.`);
      return;
    }
    show({
      title: `Send this link to ${name}`,
      explanation: `No mail server is set up, so pass the link on to ${email} yourself. It sets the password, works once, and for three days.`,
      label: 'Link to set a password',
      plainText: url,
    });
  });
}

export const useInvite = (onSuccess: () => void) =>
  useLinkChange(
    async (input: InviteStaffInput) => (await request(INVITE, { input })).inviteStaff,
    onSuccess,
  );

export const useResend = (onSuccess: () => void) =>
  useLinkChange(
    async (id: string) => (await request(RESEND, { input: { id } })).resendStaffInvitation,
    onSuccess,
  );

export const useResetPassword = (onSuccess: () => void) =>
  useLinkChange(
    async (id: string) => (await request(RESET, { input: { id } })).resetStaffPassword,
    onSuccess,
  );

export const useWithdraw = (onSuccess: () => void) =>
  useSeenChange((id: string) => request(WITHDRAW, { input: { id } }), [STAFF], onSuccess);

export const useSetRole = (onSuccess: () => void) =>
  useSeenChange(
    (input: SetStaffRoleInput) => request(SET_ROLE, { input }),
    [STAFF, API_KEYS, ['viewer']],
    onSuccess,
  );

export const useDisable = (onSuccess: () => void) =>
  useSeenChange(
    (input: DisableStaffInput) => request(DISABLE, { input }),
    [STAFF, API_KEYS],
    onSuccess,
  );

export const useEnable = (onSuccess: () => void) =>
  useSeenChange((id: string) => request(ENABLE, { input: { id } }), [STAFF], onSuccess);
