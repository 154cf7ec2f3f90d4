import { z } from 'zod';
import { toSecretGuess } from '../../../auth/rate-limits.ts';
import { toCreatedPosition } from '../../../core/pagination.ts';
import { omitNull, parseInput } from '../../../core/validation.ts';
import { builder } from '../../../graphql/builder.ts';
import { paginateFilteredField } from '../../../graphql/connections.ts';
import { personSchema, quantitySchema } from '../input-schemas.ts';
import {
  joinWaitlist,
  leaveWaitlist,
  listWaitlist,
  type WaitlistEntry,
} from '../waitlist/waitlist.ts';

const PUBLIC = { access: 'public' } as const;

const WaitlistStatus = builder.enumType('WaitlistStatus', {
  values: {
    WAITING: { value: 'waiting' },
    OFFERED: { value: 'offered', description: 'Tickets are held for this person' },
    TAKEN: { value: 'accepted' },
    LAPSED: { value: 'expired', description: 'The offer ran out, or the event was cancelled' },
    LEFT: { value: 'withdrawn' },
  } as const,
});

const WaitlistEntryType = builder.objectRef<WaitlistEntry>('WaitlistEntry');
WaitlistEntryType.implement({
  description: 'A person on the waiting list of a ticket type',
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.expose('status', { type: WaitlistStatus }),
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    quantity: t.exposeInt('quantity'),
    ticketTypeId: t.id({ resolve: ({ ticketType }) => ticketType.id }),
    ticketTypeName: t.string({ resolve: ({ ticketType }) => ticketType.name }),
    eventId: t.exposeID('eventId'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

const WAITLIST_STATUSES = ['waiting', 'offered', 'accepted', 'expired', 'withdrawn'] as const;

const WaitlistFilter = builder.inputType('WaitlistFilter', {
  fields: (t) => ({ eventId: t.id(), status: t.field({ type: WaitlistStatus }) }),
});

const waitlistFilterSchema = z.object({
  eventId: z.uuid().optional(),
  status: z.enum(WAITLIST_STATUSES).optional(),
});

builder.queryField('waitlist', (t) =>
  t.connection({
    type: WaitlistEntryType,
    description: 'Newest first',
    authScopes: { access: 'orders:read' },
    args: { filter: t.arg({ type: WaitlistFilter }) },
    ...paginateFilteredField(waitlistFilterSchema, listWaitlist, toCreatedPosition),
  }),
);

const JoinWaitlistPayload = builder.objectRef<{ ticketTypeId: string; quantity: number }>(
  'JoinWaitlistPayload',
);
JoinWaitlistPayload.implement({
  fields: (t) => ({
    ticketTypeId: t.exposeID('ticketTypeId'),
    quantity: t.exposeInt('quantity'),
  }),
});

const JoinWaitlistInput = builder.inputType('JoinWaitlistInput', {
  fields: (t) => ({
    ticketTypeId: t.id({ required: true }),
    name: t.string({ required: true }),
    email: t.string({ required: true }),
    quantity: t.int({ defaultValue: 1 }),
  }),
});

const joinInput = personSchema.extend({
  ticketTypeId: z.uuid(),
  quantity: quantitySchema.nullish().transform((value) => value ?? 1),
});

builder.mutationField('joinWaitlist', (t) =>
  t.field({
    type: JoinWaitlistPayload,
    description:
      'Joins the waiting list of a sold-out ticket type. When tickets become available, the person gets an offer by email, valid for up to a day.',
    authScopes: PUBLIC,
    args: { input: t.arg({ type: JoinWaitlistInput, required: true }) },
    rateLimit: ({ input: { email } }, { deps, address }) =>
      deps.rateLimits.waitlist.consume({ address, account: email }),
    resolve: (_, { input }, { ctx }) => joinWaitlist(ctx, parseInput(joinInput, omitNull(input))),
  }),
);

builder.mutationField('leaveWaitlist', (t) =>
  t.boolean({
    description: 'Leaves the waiting list and declines an open offer',
    authScopes: PUBLIC,
    args: { secret: t.arg.string({ required: true }) },
    guess: ({ secret }, { deps, address }) =>
      toSecretGuess(deps.rateLimits, address, 'waitlistLink', secret),
    resolve: (_, { secret }, { ctx }) => leaveWaitlist(ctx, secret),
  }),
);
