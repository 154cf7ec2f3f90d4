import { toSecretGuess } from '../../../auth/guesses.ts';
import { builder } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { approveEmailChangeInput, emailLinkInput, memberIdInput } from '../inputs.ts';
import {
  approveEmailChange,
  cancelEmailChange,
  confirmEmail,
  rejectEmailChange,
  resendConfirmation,
} from '../service/email-change.ts';
import { getMember } from '../service/members.ts';
import { Member } from './members.ts';

const MemberEmailConfirmation = builder.enumType('MemberEmailConfirmation', {
  description: 'The outcome of opening a link about the email address of a member',
  values: {
    CONFIRMED: { value: 'confirmed', description: 'The address is now in use' },
    AWAITING_CONFIRMATION: {
      value: 'awaiting_confirmation',
      description: 'The new address is not confirmed yet',
    },
    AWAITING_APPROVAL: {
      value: 'awaiting_approval',
      description: 'The current address or a manager has not approved yet',
    },
  } as const,
});

const toGuess = ({ secret }: { secret: string }, { deps, address }: GraphqlContext) =>
  toSecretGuess(deps.rateLimits, address, 'emailConfirmation', secret);

addMutation('confirmMemberEmail', {
  description:
    'Takes the part of a link after the #. Confirms the new address, or approves the change for the current address. When the address changes, the member is signed out everywhere.',
  access: 'public',
  input: emailLinkInput,
  payload: {
    confirmation: { type: MemberEmailConfirmation, description: 'What the link achieved' },
  },
  guess: toGuess,
  resolve: async ({ secret }, { ctx }) => ({
    confirmation: await confirmEmail(ctx, secret),
  }),
});

addMutation('rejectMemberEmailChange', {
  description:
    'Rejects a change, with the part after the # of the link sent to the current address',
  access: 'public',
  input: emailLinkInput,
  payload: { rejectedEmail: { type: 'String', description: 'The address that is not used' } },
  guess: toGuess,
  resolve: async ({ secret }, { ctx }) => ({
    rejectedEmail: await rejectEmailChange(ctx, secret),
  }),
});

addMutation('resendMemberConfirmation', {
  description: 'Emails a new link to the pending address. The previous link stops working.',
  access: 'members:write',
  input: memberIdInput,
  payload: {
    member: { type: Member, description: 'The member whose address waits for confirmation' },
  },
  resolve: async ({ id }, { ctx }) => {
    const member = await getMember(ctx, id);
    await resendConfirmation(ctx, member.id);
    return { member };
  },
});

addMutation('cancelMemberEmailChange', {
  description: 'Cancels a pending change. The member keeps the current address.',
  access: 'members:write',
  input: memberIdInput,
  payload: { member: { type: Member, description: 'The member, who keeps the current address' } },
  resolve: async ({ id }, { ctx }) => {
    const member = await getMember(ctx, id);
    await cancelEmailChange(ctx, member.id);
    return { member };
  },
});

addMutation('approveMemberEmailChange', {
  description:
    'Approves a change that a token, the front desk or staff who do not manage the space any more requested, in place of an approval from the current address',
  access: 'staff:manage',
  input: approveEmailChangeInput,
  payload: { member: { type: Member, description: 'The member after the approval' } },
  resolve: async ({ id, email }, { ctx }) => {
    const { id: memberId } = await getMember(ctx, id);
    await approveEmailChange(ctx, { id: memberId, email });
    return { member: await getMember(ctx, memberId) };
  },
});
