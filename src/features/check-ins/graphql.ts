import { z } from 'zod';
import { toSecretGuess } from '../../auth/rate-limits.ts';
import { boundedText, omitNull, parseInput } from '../../core/validation.ts';
import { DomainError } from '../../errors.ts';
import { builder } from '../../graphql/builder.ts';
import { computePageComplexity, toConnection, toPageRequest } from '../../graphql/connections.ts';
import { streamWhileAuthorized } from '../../graphql/subscriptions.ts';
import { Location } from '../spaces/graphql/locations.ts';
import {
  isThrottledCaller,
  selectCheckInLimit,
  toLocationCaller,
  withCheckInLimit,
} from './caller.ts';
import { checkOut } from './commands/check-out.ts';
import { getKiosk, type Kiosk as KioskValue, listKiosks } from './queries/kiosks.ts';
import { type CheckInAttempt as AttemptValue, listAttempts } from './queries/list-attempts.ts';
import {
  listOccupancy,
  type Occupancy as OccupancyValue,
  watchOccupancy,
} from './queries/occupancy.ts';
import {
  codeSchema,
  handleSchema,
  parseCredential,
  scanIdSchema,
  visitorSchema,
} from './request.ts';
import { checkIn } from './service.ts';
import { CHECK_IN_RESULTS, type CheckIn as CheckInValue } from './types.ts';

const CheckInResult = builder.enumType('CheckInResult', {
  values: {
    ADMITTED: { value: 'admitted', description: 'Is in now' },
    ALREADY_IN: { value: 'already_in', description: 'Was in before: checkedInAt says since when' },
    CHECKED_OUT: {
      value: 'checked_out',
      description: 'Has left; or a used ticket whose holder has',
    },
    NOT_FOUND: { value: 'not_found', description: 'Nothing has this code, handle or id' },
    UNPAID: { value: 'unpaid', description: 'The order is not paid' },
    CANCELLED: { value: 'cancelled' },
    NOT_YET_VALID: {
      value: 'not_yet_valid',
      description: 'More than an hour before the start, or before the day',
    },
    EXPIRED: { value: 'expired', description: 'Over, given up, or a handle that was used' },
    WRONG_LOCATION: { value: 'wrong_location' },
    MEMBERSHIP_INACTIVE: {
      value: 'membership_inactive',
      description: 'The member is paused or former, or no contract covers today',
    },
    CAPACITY_FULL: { value: 'capacity_full' },
    AMBIGUOUS: { value: 'ambiguous', description: 'The code stands for more than one admission' },
  } as const,
});

const CheckInSubjectType = builder.enumType('CheckInSubjectType', {
  values: {
    TICKET: { value: 'ticket' },
    DAY_PASS: { value: 'day_pass' },
    MEMBER: { value: 'member' },
    BOOKING: { value: 'booking' },
    VISITOR: { value: 'visitor' },
  } as const,
});

const CheckInSubject = builder.objectRef<NonNullable<CheckInValue['subject']>>('CheckInSubject');
CheckInSubject.implement({
  fields: (t) => ({
    type: t.expose('type', { type: CheckInSubjectType }),
    title: t.exposeString('title', {
      nullable: true,
      description: "The event, the day pass's kind, the booked resource, or a visitor's host",
    }),
  }),
});

const CheckIn = builder.objectRef<CheckInValue>('CheckIn');
CheckIn.implement({
  description: 'What came of an attempt to get in, or to leave',
  fields: (t) => ({
    id: t.exposeID('id', {
      nullable: true,
      description:
        'Only where admitted or checked out: callers with check-ins:write end the visit by it',
    }),
    checkOutToken: t.exposeString('checkOutToken', {
      nullable: true,
      description:
        'Only where admitted, and only in this answer: whoever holds it may end the visit',
    }),
    result: t.expose('result', { type: CheckInResult }),
    label: t.exposeString('label', {
      nullable: true,
      description: 'In full for who may read check-ins, else such as "Ada L."',
    }),
    checkedInAt: t.expose('checkedInAt', { type: 'DateTime', nullable: true }),
    checkedOutAt: t.expose('checkedOutAt', { type: 'DateTime', nullable: true }),
    subject: t.expose('subject', { type: CheckInSubject, nullable: true }),
  }),
});

const CheckInAttempt = builder.objectRef<AttemptValue>('Attempt');
CheckInAttempt.implement({
  description: 'An attempt to get in, or to leave, as staff sees it',
  fields: (t) => ({
    id: t.exposeID('id'),
    result: t.expose('result', { type: CheckInResult }),
    label: t.exposeString('label', { nullable: true }),
    subject: t.expose('subject', { type: CheckInSubject, nullable: true }),
    location: t.expose('location', { type: Location }),
    at: t.expose('at', { type: 'DateTime', description: 'When it happened' }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was told' }),
    checkedOutAt: t.expose('checkedOutAt', { type: 'DateTime', nullable: true }),
    leavesAt: t.expose('autoCheckOutAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the visit ends by itself',
    }),
    leftByItself: t.exposeBoolean('autoCheckedOut', { description: 'Nobody checked them out' }),
    actor: t.exposeString('actor', {
      description: 'Who asked: the kind, such as kiosk, and the id if any',
    }),
  }),
});

const Occupancy = builder.objectRef<OccupancyValue>('Occupancy');
Occupancy.implement({
  description: 'How many are in',
  fields: (t) => ({
    locationId: t.exposeID('locationId'),
    locationName: t.exposeString('locationName'),
    present: t.exposeInt('present'),
    capacity: t.exposeInt('capacity', { nullable: true }),
  }),
});

const Kiosk = builder.objectRef<KioskValue>('Kiosk');
Kiosk.implement({
  description: 'What the page of a kiosk may know of its location',
  fields: (t) => ({
    locationId: t.exposeID('locationId'),
    name: t.exposeString('name'),
    timeZone: t.exposeString('timeZone'),
    lookupNames: t.exposeBoolean('lookupNames', {
      description: 'Whether members are found by their names',
    }),
    lookupNeedsKiosk: t.exposeBoolean('lookupNeedsKiosk', {
      description: 'Only at kiosks that are paired',
    }),
  }),
});

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

const checkInInput = z.object({
  locationId: z.uuid(),
  code: codeSchema.optional(),
  handle: handleSchema.optional(),
  memberId: z.uuid().optional(),
  bookingId: z.uuid().optional(),
  visitor: visitorSchema.optional(),
  leaving: z.boolean().optional(),
  scanId: scanIdSchema.optional(),
  occurredAt: z.date().optional(),
  readmit: z.boolean().optional(),
});

builder.mutationField('checkIn', (t) =>
  t.field({
    type: CheckIn,
    description: 'Takes whatever is presented; every attempt is recorded',
    authScopes: PUBLIC,
    args: { input: t.arg({ type: CheckInInput, required: true }) },
    rateLimit: async ({ input }, { ctx, deps, address }) => {
      const asking = toLocationCaller(ctx.viewer, address, input.locationId);
      if (isThrottledCaller(ctx.viewer))
        await selectCheckInLimit(deps.rateLimits, asking).consume(asking);
    },
    resolve: async (_, args, { ctx, deps, address }) => {
      const asking = toLocationCaller(ctx.viewer, address, args.input.locationId);
      const work = async () => {
        const { code, handle, memberId, bookingId, ...rest } = parseInput(
          checkInInput,
          omitNull(args.input),
        );
        const presented = parseCredential({ code, handle, memberId, bookingId });
        return checkIn(ctx, { ...rest, credential: presented });
      };
      return isThrottledCaller(ctx.viewer)
        ? withCheckInLimit(deps.rateLimits, asking, work)
        : work();
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
    resolve: (_, { id, token }, { ctx }) => checkOut(ctx, parseTokenOrId(id, token)),
  }),
);

function parseTokenOrId(id: string | null | undefined, token: string | null | undefined): string {
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

const attemptFilterInput = z.object({
  locationId: z.uuid().optional(),
  present: z.boolean().optional(),
  result: z.enum(CHECK_IN_RESULTS).optional(),
  from: z.date().optional(),
  to: z.date().optional(),
});

builder.queryField('checkIns', (t) =>
  t.connection({
    type: CheckInAttempt,
    description: 'Every attempt, whatever came of it, newest first',
    authScopes: READ,
    complexity: computePageComplexity,
    args: { filter: t.arg({ type: AttemptFilter }) },
    resolve: async (_, args, { ctx }) =>
      toConnection(
        await listAttempts(
          ctx,
          parseInput(attemptFilterInput, omitNull(args.filter)),
          toPageRequest(args),
        ),
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
    resolve: (_, { locationId }, { ctx }) => listOccupancy(ctx, locationId ?? undefined),
  }),
);

builder.queryField('kiosk', (t) =>
  t.field({
    type: Kiosk,
    authScopes: PUBLIC,
    args: { location: t.arg.string({ required: true, description: 'The slug, or the id' }) },
    resolve: (_, { location }, { ctx }) => getKiosk(ctx, parseInput(boundedText(100), location)),
  }),
);

builder.queryField('kiosks', (t) =>
  t.field({
    type: [Kiosk],
    description: 'By name, to choose one',
    authScopes: PUBLIC,
    complexity: { field: 1, multiplier: 10 },
    resolve: (_, __, { ctx }) => listKiosks(ctx),
  }),
);

const READ_OCCUPANCY = { access: 'check-ins:read' } as const;

builder.subscriptionField('occupancyChanged', (t) =>
  t.field({
    type: Occupancy,
    description: 'How many are in: at once, and within two seconds of every change',
    authScopes: READ_OCCUPANCY,
    args: { locationId: t.arg.id() },
    subscribe: (_, { locationId }, context) =>
      streamWhileAuthorized(context, READ_OCCUPANCY.access, (signal) =>
        watchOccupancy(context.ctx, locationId ?? undefined, signal),
      ),
    resolve: (occupancy) => occupancy,
  }),
);
