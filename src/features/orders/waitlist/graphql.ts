import { z } from 'zod';
import { toSecretGuess } from '../../../auth/rate-limits.ts';
import { builder } from '../../../graphql/builder.ts';
import { pagedBy } from '../../../graphql/pages.ts';
import { createdPosition } from '../../../page.ts';
import { definite, valid } from '../../../validation.ts';
import * as fields from '../fields.ts';
import * as waitlist from './service.ts';

const PUBLIC = { access: 'public' } as const;

const WaitlistStatus = builder.enumType('WaitlistStatus', {
  values: {
    WAITING: { value: 'waiting' },
    OFFERED: { value: 'offered', description: 'Tickets are held for them' },
    TAKEN: { value: 'accepted' },
    LAPSED: { value: 'expired', description: 'They took no notice, or the event is cancelled' },
    LEFT: { value: 'withdrawn' },
  } as const,
});

const WaitlistEntry = builder.objectRef<waitlist.WaitlistEntry>('WaitlistEntry');
WaitlistEntry.implement({
  description: 'Somebody who waits for tickets that are sold out',
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

const STATUSES = ['waiting', 'offered', 'accepted', 'expired', 'withdrawn'] as const;

const WaitlistFilter = builder.inputType('WaitlistFilter', {
  fields: (t) => ({ eventId: t.id(), status: t.field({ type: WaitlistStatus }) }),
});

const filter = z.object({ eventId: z.uuid().optional(), status: z.enum(STATUSES).optional() });

builder.queryField('waitlist', (t) =>
  t.connection({
    type: WaitlistEntry,
    description: 'Newest first',
    authScopes: { access: 'orders:read' },
    args: { filter: t.arg({ type: WaitlistFilter }) },
    ...pagedBy(filter, waitlist.list, createdPosition),
  }),
);

const WaitlistPlace = builder.objectRef<{ ticketTypeId: string; quantity: number }>(
  'WaitlistPlace',
);
WaitlistPlace.implement({
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

const joinInput = fields.person.extend({
  ticketTypeId: z.uuid(),
  quantity: fields.quantity.nullish().transform((value) => value ?? 1),
});

builder.mutationField('joinWaitlist', (t) =>
  t.field({
    type: WaitlistPlace,
    description:
      'For tickets that are sold out. Once some come back, an offer is mailed that is good for a day.',
    authScopes: PUBLIC,
    args: { input: t.arg({ type: JoinWaitlistInput, required: true }) },
    admit: ({ input: { email } }, { deps, address }) =>
      deps.rateLimits.waitlist.consume({ address, account: email }),
    resolve: (_, { input }, { ctx }) => waitlist.join(ctx, valid(joinInput, definite(input))),
  }),
);

builder.mutationField('leaveWaitlist', (t) =>
  t.boolean({
    description: 'Gives up an open offer too',
    authScopes: PUBLIC,
    args: { secret: t.arg.string({ required: true }) },
    guess: ({ secret }, { deps, address }) =>
      toSecretGuess(deps.rateLimits, address, 'waitlistLink', secret),
    resolve: (_, { secret }, { ctx }) => waitlist.leave(ctx, secret),
  }),
);
