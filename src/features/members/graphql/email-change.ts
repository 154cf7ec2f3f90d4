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
  toSecretGuess(deps.rateLimits, address, 'emailConfirmation', secret.trim());

builder.mutationField('confirmMemberEmail', (t) =>
  t.field({
    type: MemberEmailConfirmation,
    description:
      'Takes the part of a link after the #. Confirms the new address, or approves the change for the current address. When the address changes, the member is signed out everywhere.',
    authScopes: { access: 'public' },
    args: { secret: t.arg.string({ required: true }) },
    guess: toGuess,
    resolve: (_, { secret }, { ctx }) => confirmEmail(ctx, secret.trim()),
  }),
);

builder.mutationField('rejectMemberEmailChange', (t) =>
  t.boolean({
    description:
      'Rejects a change, with the part after the # of the link sent to the current address',
    authScopes: { access: 'public' },
    args: { secret: t.arg.string({ required: true }) },
    guess: toGuess,
    resolve: (_, { secret }, { ctx }) => rejectEmailChange(ctx, secret.trim()),
  }),
);

builder.mutationField('resendMemberConfirmation', (t) =>
  t.field({
    type: Member,
    description: 'Emails a new link to the pending address. The previous link stops working.',
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
    description: 'Cancels a pending change. The member keeps the current address.',
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
    description: 'Approves a change that a token requested, instead of the current address',
    authScopes: { access: 'staff:manage' },
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, { ctx }) => {
      const { id: memberId } = await getMember(ctx, id);
      await approveEmailChange(ctx, memberId);
      return getMember(ctx, memberId);
    },
  }),
);
