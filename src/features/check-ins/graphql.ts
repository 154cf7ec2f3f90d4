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
import { getKiosk, type Kiosk as KioskData, listKiosks } from './queries/kiosks.ts';
import { type CheckInAttempt as AttemptData, listAttempts } from './queries/list-attempts.ts';
import {
  listOccupancy,
  type Occupancy as OccupancyData,
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
import { CHECK_IN_RESULTS, type CheckIn as CheckInData } from './types.ts';

const CheckInResult = builder.enumType('CheckInResult', {
  values: {
    ADMITTED: { value: 'admitted', description: 'Checked in now' },
    ALREADY_IN: { value: 'already_in', description: 'Checked in before, at checkedInAt' },
    CHECKED_OUT: {
      value: 'checked_out',
      description: 'Checked out now; or a used ticket whose holder has left',
    },
    NOT_FOUND: { value: 'not_found', description: 'Nothing has this code, handle or id' },
    UNPAID: { value: 'unpaid', description: 'The order is not paid' },
    CANCELLED: { value: 'cancelled' },
    NOT_YET_VALID: {
      value: 'not_yet_valid',
      description: 'More than an hour before the start, or before the day of the pass',
    },
    EXPIRED: { value: 'expired', description: 'Over, released as a no-show, or a used handle' },
    WRONG_LOCATION: { value: 'wrong_location' },
    MEMBERSHIP_INACTIVE: {
      value: 'membership_inactive',
      description: 'The member is paused or former, or no membership covers today',
    },
    CAPACITY_FULL: { value: 'capacity_full' },
    AMBIGUOUS: { value: 'ambiguous', description: 'The code matches more than one admission' },
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

const CheckInSubject = builder.objectRef<NonNullable<CheckInData['subject']>>('CheckInSubject');
CheckInSubject.implement({
  fields: (t) => ({
    type: t.expose('type', { type: CheckInSubjectType }),
    title: t.exposeString('title', {
      nullable: true,
      description:
        'The event, the type of the day pass, the booked resource, or the host of a visitor',
    }),
  }),
});

const CheckIn = builder.objectRef<CheckInData>('CheckIn');
CheckIn.implement({
  description: 'The result of an attempt to check in or out',
  fields: (t) => ({
    id: t.exposeID('id', {
      nullable: true,
      description:
        'Only if admitted or checked out: callers with check-ins:write can check out by it',
    }),
    checkOutToken: t.exposeString('checkOutToken', {
      nullable: true,
      description:
        'Ends the visit for anyone who has it; only if admitted, and only in this response',
    }),
    result: t.expose('result', { type: CheckInResult }),
    label: t.exposeString('label', {
      nullable: true,
      description: 'The full name for callers with check-ins:read, else such as "Ada L."',
    }),
    checkedInAt: t.expose('checkedInAt', { type: 'DateTime', nullable: true }),
    checkedOutAt: t.expose('checkedOutAt', { type: 'DateTime', nullable: true }),
    subject: t.expose('subject', { type: CheckInSubject, nullable: true }),
  }),
});

const CheckInAttempt = builder.objectRef<AttemptData>('CheckInAttempt');
CheckInAttempt.implement({
  description: 'An attempt to check in or out, as staff see it',
  fields: (t) => ({
    id: t.exposeID('id'),
    result: t.expose('result', { type: CheckInResult }),
    label: t.exposeString('label', { nullable: true }),
    subject: t.expose('subject', { type: CheckInSubject, nullable: true }),
    location: t.expose('location', { type: Location }),
    at: t.expose('at', { type: 'DateTime', description: 'When it happened' }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When the server recorded it',
    }),
    checkedOutAt: t.expose('checkedOutAt', { type: 'DateTime', nullable: true }),
    leavesAt: t.expose('autoCheckOutAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the visit ends automatically',
    }),
    leftByItself: t.exposeBoolean('autoCheckedOut', {
      description: 'Whether the visit ended automatically',
    }),
    actor: t.exposeString('actor', {
      description: 'The kind of the caller, such as kiosk, and the id if there is one',
    }),
  }),
});

const Occupancy = builder.objectRef<OccupancyData>('Occupancy');
Occupancy.implement({
  description: 'How many people are checked in at a location',
  fields: (t) => ({
    locationId: t.exposeID('locationId'),
    locationName: t.exposeString('locationName'),
    present: t.exposeInt('present'),
    capacity: t.exposeInt('capacity', { nullable: true }),
  }),
});

const Kiosk = builder.objectRef<KioskData>('Kiosk');
Kiosk.implement({
  description: 'What the kiosk page shows of its location',
  fields: (t) => ({
    locationId: t.exposeID('locationId'),
    name: t.exposeString('name'),
    timeZone: t.exposeString('timeZone'),
    lookupNames: t.exposeBoolean('lookupNames', {
      description: 'Whether lookups find members by name',
    }),
    lookupNeedsKiosk: t.exposeBoolean('lookupNeedsKiosk', {
      description: 'Whether lookups by name work only at paired kiosks',
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
    code: t.string({ description: 'The code of a ticket, a day pass, a member or an order' }),
    handle: t.string({ description: 'From a lookup; valid once, for two minutes' }),
    memberId: t.id({ description: 'For staff and tokens, and for members themselves' }),
    bookingId: t.id({
      description: 'For staff and tokens, and for members with a booking of their own',
    }),
    visitor: t.field({ type: VisitorInput, description: 'A visitor of that member' }),
    leaving: t.boolean({ description: 'Check out instead of in' }),
    scanId: t.string({
      description:
        "The client's id of this scan: a retry with the same id returns the first result",
    }),
    occurredAt: t.field({
      type: 'DateTime',
      description:
        'When it happened, for uploads of offline scans: at most 24 hours ago, for staff 7 days',
    }),
    readmit: t.boolean({
      description: 'Admit the holder of a used ticket once more; for staff and tokens',
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
    description: 'Checks somebody in or out by what they present; every attempt is recorded',
    authScopes: PUBLIC,
    args: { input: t.arg({ type: CheckInInput, required: true }) },
    rateLimit: async ({ input }, { ctx, deps, address }) => {
      const caller = toLocationCaller(ctx.viewer, address, input.locationId);
      if (isThrottledCaller(ctx.viewer))
        await selectCheckInLimit(deps.rateLimits, caller).consume(caller);
    },
    resolve: async (_, args, { ctx, deps, address }) => {
      const caller = toLocationCaller(ctx.viewer, address, args.input.locationId);
      const work = async () => {
        const { code, handle, memberId, bookingId, ...rest } = parseInput(
          checkInInput,
          omitNull(args.input),
        );
        const credential = parseCredential({ code, handle, memberId, bookingId });
        return checkIn(ctx, { ...rest, credential });
      };
      return isThrottledCaller(ctx.viewer)
        ? withCheckInLimit(deps.rateLimits, caller, work)
        : work();
    },
  }),
);

builder.mutationField('checkOut', (t) =>
  t.field({
    type: CheckIn,
    description: 'Ends a visit, by exactly one of id and token; a second call changes nothing',
    authScopes: PUBLIC,
    args: {
      id: t.arg.id({
        description: 'The id of the check-in, for callers with the scope check-ins:write',
      }),
      token: t.arg.string({ description: 'The checkOutToken of the admission' }),
    },
    guess: ({ token }, { deps, address }) =>
      toSecretGuess(deps.rateLimits, address, 'checkOut', token ?? ''),
    resolve: (_, { id, token }, { ctx }) => checkOut(ctx, parseTokenOrId(id, token)),
  }),
);

function parseTokenOrId(id: string | null | undefined, token: string | null | undefined): string {
  const [tokenOrId, ...others] = [id, token].filter((it) => it != null);
  if (tokenOrId !== undefined && others.length === 0) return tokenOrId;
  throw new DomainError(
    'VALIDATION',
    'Pass exactly one of token and id. The id needs the scope check-ins:write.',
    { reason: 'PRESENT_ONE' },
  );
}

const AttemptFilter = builder.inputType('AttemptFilter', {
  fields: (t) => ({
    locationId: t.id(),
    present: t.boolean({ description: 'True: only people who are checked in; false: all others' }),
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
    description: 'Attempts with any result, newest first',
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
    description: 'How many people are checked in now, by name of the location',
    authScopes: READ,
    args: { locationId: t.arg.id() },
    resolve: (_, { locationId }, { ctx }) => listOccupancy(ctx, locationId ?? undefined),
  }),
);

builder.queryField('kiosk', (t) =>
  t.field({
    type: Kiosk,
    authScopes: PUBLIC,
    args: {
      location: t.arg.string({ required: true, description: 'The slug or id of the location' }),
    },
    resolve: (_, { location }, { ctx }) => getKiosk(ctx, parseInput(boundedText(100), location)),
  }),
);

builder.queryField('kiosks', (t) =>
  t.field({
    type: [Kiosk],
    description: 'The kiosks of all locations, by name',
    authScopes: PUBLIC,
    complexity: { field: 1, multiplier: 10 },
    resolve: (_, __, { ctx }) => listKiosks(ctx),
  }),
);

builder.subscriptionField('occupancyChanged', (t) =>
  t.field({
    type: Occupancy,
    description: 'How many people are checked in: now, and within two seconds of every change',
    authScopes: READ,
    args: { locationId: t.arg.id() },
    subscribe: (_, { locationId }, context) =>
      streamWhileAuthorized(context, READ.access, (signal) =>
        watchOccupancy(context.ctx, context.deps.occupancyFeed, locationId ?? undefined, signal),
      ),
    resolve: (occupancy) => occupancy,
  }),
);
