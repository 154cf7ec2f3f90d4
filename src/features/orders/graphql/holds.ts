import { DomainError } from '../../../errors.ts';
import { builder } from '../../../graphql/builder.ts';
import {
  findHoldGroups,
  type HoldGroup,
  type HoldScope,
  releaseHolds,
} from '../commands/release-holds.ts';

const HoldSubjectKind = builder.enumType('HoldSubjectKind', {
  description: 'What the orders of a group have in common',
  values: {
    EMAIL: { value: 'email' },
    MEMBER: { value: 'member' },
    ADDRESS: { value: 'address', description: 'One IPv4 address or IPv6 /64' },
    NETWORK: { value: 'network', description: 'One IPv4 /24 or IPv6 /48' },
  } as const,
});

const HoldGroupType = builder.objectRef<HoldGroup>('HoldGroup');
HoldGroupType.implement({
  description: 'Unpaid orders and waiting-list entries with one origin in common',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Identifies the group in releaseHolds' }),
    kind: t.expose('kind', { type: HoldSubjectKind }),
    orders: t.exposeInt('orders'),
    waitlistEntries: t.exposeInt('waitlistEntries'),
    seats: t.exposeInt('seats', {
      description: 'Seats that the orders hold and the entries wait for',
    }),
    emails: t.exposeStringList('emails', { description: 'Some email addresses of the buyers' }),
    firstAt: t.expose('firstAt', { type: 'DateTime' }),
    lastAt: t.expose('lastAt', { type: 'DateTime' }),
  }),
});

builder.queryField('suspiciousHolds', (t) =>
  t.field({
    type: [HoldGroupType],
    description:
      'Groups of unpaid or unconfirmed orders of an event or a day pass type that share an origin, largest first',
    authScopes: { access: 'orders:read' },
    complexity: { field: 5, multiplier: 20 },
    args: { eventId: t.arg.id(), dayPassTypeId: t.arg.id() },
    resolve: (_, args, { ctx }) => findHoldGroups(ctx, toHoldScope(args)),
  }),
);

const ReleaseHoldsPayload = builder.objectRef<{ orders: number; waitlistEntries: number }>(
  'ReleaseHoldsPayload',
);
ReleaseHoldsPayload.implement({
  fields: (t) => ({
    orders: t.exposeInt('orders', { description: 'Number of cancelled orders' }),
    waitlistEntries: t.exposeInt('waitlistEntries', { description: 'Number of removed entries' }),
  }),
});

const ReleaseHoldsInput = builder.inputType('ReleaseHoldsInput', {
  fields: (t) => ({
    eventId: t.id({ description: 'Give either eventId or dayPassTypeId' }),
    dayPassTypeId: t.id(),
    key: t.string({ required: true, description: 'The key of a group in suspiciousHolds' }),
  }),
});

builder.mutationField('releaseHolds', (t) =>
  t.field({
    type: ReleaseHoldsPayload,
    description:
      'Cancels all unpaid orders of a group and removes its waiting-list entries. Sends no emails.',
    authScopes: { access: 'orders:write' },
    args: { input: t.arg({ type: ReleaseHoldsInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      releaseHolds(ctx, { ...toHoldScope(input), key: input.key }),
  }),
);

function toHoldScope({
  eventId,
  dayPassTypeId,
}: {
  eventId?: string | number | null | undefined;
  dayPassTypeId?: string | number | null | undefined;
}): HoldScope {
  if (eventId != null && dayPassTypeId == null) return { eventId: String(eventId) };
  if (dayPassTypeId != null && eventId == null) return { dayPassTypeId: String(dayPassTypeId) };
  throw new DomainError('VALIDATION', 'Give either eventId or dayPassTypeId.', {
    reason: 'INVALID_INPUT',
  });
}
