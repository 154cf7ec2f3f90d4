import { DomainError } from '../../../errors.ts';
import { builder, withArgs } from '../../../graphql/builder.ts';
import { addMutation } from '../../../graphql/mutation.ts';
import { withCost } from '../../../graphql/query-cost.ts';
import { releaseHoldsInput, suspiciousHoldsArgs } from '../inputs.ts';
import {
  findHoldGroups,
  type HoldGroup,
  type HoldScope,
  releaseHolds,
} from '../service/release-holds.ts';

const HoldSubjectKind = builder.enumType('HoldSubjectKind', {
  description: 'The kind of source that the orders of a group share',
  values: {
    EMAIL: { value: 'email', description: 'One email address' },
    MEMBER: { value: 'member', description: 'One member' },
    ADDRESS: { value: 'address', description: 'One IPv4 address or IPv6 /64' },
    NETWORK: { value: 'network', description: 'One IPv4 /24 or IPv6 /48' },
  } as const,
});

const HoldGroupType = builder.objectRef<HoldGroup>('HoldGroup');
HoldGroupType.implement({
  description: 'Unpaid orders and waiting-list entries from one source',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Identifies the group in releaseHolds' }),
    kind: t.expose('kind', { type: HoldSubjectKind, description: 'What they have in common' }),
    orders: t.exposeInt('orders', { description: 'The number of unpaid or unconfirmed orders' }),
    waitlistEntries: t.exposeInt('waitlistEntries', {
      description: 'The number of waiting-list entries',
    }),
    seats: t.exposeInt('seats', {
      description: 'Seats that the orders hold or the waiting-list entries request',
    }),
    emails: t.exposeStringList('emails', { description: 'Email addresses of some of the buyers' }),
    firstAt: t.expose('firstAt', {
      type: 'DateTime',
      description: 'When the first of them was placed',
    }),
    lastAt: t.expose('lastAt', {
      type: 'DateTime',
      description: 'When the last of them was placed',
    }),
  }),
});

builder.queryField('suspiciousHolds', (t) =>
  t.field({
    type: [HoldGroupType],
    description:
      'Groups of unpaid or unconfirmed orders of an event or a day pass type from one source, largest first',
    authScopes: { access: 'orders:read' },
    ...withCost({ points: 5, items: 20 }),
    ...withArgs(suspiciousHoldsArgs, (args, { ctx }) => findHoldGroups(ctx, toHoldScope(args))),
  }),
);

addMutation('releaseHolds', {
  description:
    'Cancels all unpaid orders of a group and removes its waiting-list entries. Only buyers who have confirmed a reservation get an email.',
  access: 'orders:write',
  input: releaseHoldsInput,
  payload: {
    orderCount: { type: 'Int', description: 'Number of cancelled orders' },
    waitlistEntryCount: { type: 'Int', description: 'Number of removed entries' },
  },
  resolve: async (input, { ctx }) => {
    const released = await releaseHolds(ctx, { ...toHoldScope(input), key: input.key });
    return { orderCount: released.orders, waitlistEntryCount: released.waitlistEntries };
  },
});

function toHoldScope({
  eventId,
  dayPassTypeId,
}: {
  eventId?: string | undefined;
  dayPassTypeId?: string | undefined;
}): HoldScope {
  if (eventId !== undefined && dayPassTypeId === undefined) return { eventId };
  if (dayPassTypeId !== undefined && eventId === undefined) return { dayPassTypeId };
  throw new DomainError('VALIDATION', 'Specify either eventId or dayPassTypeId.', {
    reason: 'INVALID_INPUT',
    fields: ['eventId', 'dayPassTypeId'],
  });
}
