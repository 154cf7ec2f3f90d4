import { toSecretGuess } from '../../../auth/rate-limits.ts';
import { builder } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import {
  approveEmailChange,
  cancelEmailChange,
  confirmEmail,
  rejectEmailChange,
  resendConfirmation,
} from '../email-change.ts';
import { getMember } from '../service.ts';
import { Member } from './members.ts';

const WRITE = { access: 'members:write' } as const;

const MemberEmailConfirmation = builder.enumType('MemberEmailConfirmation', {
  description: 'What became of a link about the address of a member',
  values: {
    CONFIRMED: { value: 'confirmed', description: 'The address is the member’s now' },
    AWAITING_CONFIRMATION: {
      value: 'awaiting_confirmation',
      description: 'The link in the new mailbox is still to be opened',
    },
    AWAITING_APPROVAL: {
      value: 'awaiting_approval',
      description: 'The present address or a manager is still to agree',
    },
  } as const,
});

const toGuess = ({ secret }: { secret: string }, { deps, address }: GraphqlContext) =>
  toSecretGuess(deps.rateLimits, address, 'emailConfirmation', secret.trim());

builder.mutationField('confirmMemberEmail', (t) =>
  t.field({
    type: MemberEmailConfirmation,
    description:
      'With what stands after the # of a link: confirms the address that waits, or agrees for the present address. When the address changes, the member is signed out everywhere',
    authScopes: { access: 'public' },
    args: { secret: t.arg.string({ required: true }) },
    guess: toGuess,
    resolve: (_, { secret }, { ctx }) => confirmEmail(ctx, secret.trim()),
  }),
);

builder.mutationField('rejectMemberEmailChange', (t) =>
  t.boolean({
    description:
      'The holder of the present address refuses, with what stands after the # of the link',
    authScopes: { access: 'public' },
    args: { secret: t.arg.string({ required: true }) },
    guess: toGuess,
    resolve: (_, { secret }, { ctx }) => rejectEmailChange(ctx, secret.trim()),
  }),
);

builder.mutationField('resendMemberConfirmation', (t) =>
  t.field({
    type: Member,
    description: 'Sends a new link to the address that waits; the one before stops working',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, { ctx }) => {
      const member = await getMember(ctx, id);
      await resendConfirmation(ctx, member.id);
      return member;
    },
  }),
);

builder.mutationField('cancelMemberEmailChange', (t) =>
  t.field({
    type: Member,
    description: 'The member keeps the present address',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, { ctx }) => {
      const member = await getMember(ctx, id);
      await cancelEmailChange(ctx, member.id);
      return member;
    },
  }),
);

builder.mutationField('approveMemberEmailChange', (t) =>
  t.field({
    type: Member,
    description:
      'A manager agrees to a new address that a token asked for, in place of the present address',
    authScopes: { access: 'staff:manage' },
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, { ctx }) => {
      const { id: memberId } = await getMember(ctx, id);
      await approveEmailChange(ctx, memberId);
      return getMember(ctx, memberId);
    },
  }),
);
