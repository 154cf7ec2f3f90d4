import { z } from 'zod';
import { toSecretGuess } from '../../auth/rate-limits.ts';
import { DomainError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, pageComplexity, pageRequest } from '../../graphql/pages.ts';
import { definite, text, valid } from '../../validation.ts';
import { askingAt } from './asking.ts';
import { attempts } from './attempts.ts';
import { CHECK_IN_RESULTS } from './check-in.ts';
import { checkOut } from './departures.ts';
import * as fields from './fields.ts';
import { checkInLimit, counted, mayGuess } from './guesses.ts';
import { kiosk, kiosks } from './kiosks.ts';
import { occupancy } from './occupancy.ts';
import { presentedIn } from './request.ts';
import { checkIn } from './service.ts';
import { Attempt, CheckIn, CheckInResult, Kiosk, Occupancy } from './types/graphql.ts';

const PUBLIC = { access: 'public' } as const;
const READ = { access: 'check-ins:read' } as const;

const VisitorInput = builder.inputType('VisitorInput', {
  fields: (t) => ({ name: t.string({ required: true }) }),
});

const CheckInInput = builder.inputType('CheckInInput', {
  description: 'Exactly one of code, handle, memberId and bookingId',
  fields: (t) => ({
    locationId: t.id({ required: true }),
    code: t.string({ description: 'Of a ticket, a day pass, a member or an order' }),
    handle: t.string({ description: 'From a lookup; good once, for two minutes' }),
    memberId: t.id({ description: 'For staff and programs, and for members themselves' }),
    bookingId: t.id({ description: 'For staff and programs, and for members of their own' }),
    visitor: t.field({ type: VisitorInput, description: 'Who came to see that member' }),
    leaving: t.boolean({ description: 'They go, rather than come' }),
    scanId: t.string({
      description: "The client's own name for this scan: sent again, it is answered as before",
    }),
    occurredAt: t.field({
      type: 'DateTime',
      description: 'When it happened, where it is told later: at most 24 hours ago; staff 7 days',
    }),
    readmit: t.boolean({
      description: 'Lets the holder of a used ticket in once more; for staff and programs',
    }),
  }),
});

const input = z.object({
  locationId: z.uuid(),
  code: fields.code.optional(),
  handle: fields.handle.optional(),
  memberId: z.uuid().optional(),
  bookingId: z.uuid().optional(),
  visitor: fields.visitor.optional(),
  leaving: z.boolean().optional(),
  scanId: fields.scanId.optional(),
  occurredAt: z.date().optional(),
  readmit: z.boolean().optional(),
});

builder.mutationField('checkIn', (t) =>
  t.field({
    type: CheckIn,
    description: 'Takes whatever is presented; every attempt is recorded',
    authScopes: PUBLIC,
    args: { input: t.arg({ type: CheckInInput, required: true }) },
    admit: async ({ input }, { ctx, deps, address }) => {
      const asking = askingAt(ctx.viewer, address, input.locationId);
      if (mayGuess(ctx.viewer)) await checkInLimit(deps.rateLimits, asking).consume(asking);
    },
    resolve: async (_, args, { ctx, deps, address }) => {
      const asking = askingAt(ctx.viewer, address, args.input.locationId);
      const work = async () => {
        const { code, handle, memberId, bookingId, ...rest } = valid(input, definite(args.input));
        const presented = presentedIn({ code, handle, memberId, bookingId });
        return checkIn(ctx, { ...rest, presented });
      };
      return mayGuess(ctx.viewer) ? counted(deps.rateLimits, asking, work) : work();
    },
  }),
);

builder.mutationField('checkOut', (t) =>
  t.field({
    type: CheckIn,
    description: 'Ends a visit, by exactly one of id and token; twice changes nothing',
    authScopes: PUBLIC,
    args: {
      id: t.arg.id({ description: 'Of the check-in, for callers with the scope check-ins:write' }),
      token: t.arg.string({ description: 'The checkOutToken, for whoever holds it' }),
    },
    guess: ({ token }, { deps, address }) =>
      toSecretGuess(deps.rateLimits, address, 'checkOut', token ?? ''),
    resolve: (_, { id, token }, { ctx }) => checkOut(ctx, toTokenOrId(id, token)),
  }),
);

function toTokenOrId(id: string | null | undefined, token: string | null | undefined): string {
  const [given, ...others] = [id, token].filter((it) => it != null);
  if (given !== undefined && others.length === 0) return given;
  throw new DomainError(
    'VALIDATION',
    'Name the visit by exactly one of token and id. The id needs the scope check-ins:write.',
    { reason: 'PRESENT_ONE' },
  );
}

const AttemptFilter = builder.inputType('AttemptFilter', {
  fields: (t) => ({
    locationId: t.id(),
    present: t.boolean({ description: 'Those who are in, or all others' }),
    result: t.field({ type: CheckInResult }),
    from: t.field({ type: 'DateTime', description: 'Happened at this time or later' }),
    to: t.field({ type: 'DateTime', description: 'Happened before this time' }),
  }),
});

const filter = z.object({
  locationId: z.uuid().optional(),
  present: z.boolean().optional(),
  result: z.enum(CHECK_IN_RESULTS).optional(),
  from: z.date().optional(),
  to: z.date().optional(),
});

builder.queryField('checkIns', (t) =>
  t.connection({
    type: Attempt,
    description: 'Every attempt, whatever came of it, newest first',
    authScopes: READ,
    complexity: pageComplexity,
    args: { filter: t.arg({ type: AttemptFilter }) },
    resolve: async (_, args, { ctx }) =>
      connection(
        await attempts(ctx, valid(filter, definite(args.filter)), pageRequest(args)),
        ({ recordedAt, id }) => [recordedAt.toISOString(), id],
        args.after,
      ),
  }),
);

builder.queryField('occupancy', (t) =>
  t.field({
    type: [Occupancy],
    description: 'How many are in now, by name of the location',
    authScopes: READ,
    args: { locationId: t.arg.id() },
    resolve: (_, { locationId }, { ctx }) => occupancy(ctx, locationId ?? undefined),
  }),
);

builder.queryField('kiosk', (t) =>
  t.field({
    type: Kiosk,
    authScopes: PUBLIC,
    args: { location: t.arg.string({ required: true, description: 'The slug, or the id' }) },
    resolve: (_, { location }, { ctx }) => kiosk(ctx, valid(text(100), location)),
  }),
);

builder.queryField('kiosks', (t) =>
  t.field({
    type: [Kiosk],
    description: 'By name, to choose one',
    authScopes: PUBLIC,
    complexity: { field: 1, multiplier: 10 },
    resolve: (_, __, { ctx }) => kiosks(ctx),
  }),
);
