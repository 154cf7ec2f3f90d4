import { z } from 'zod';
import { hasReason, toCodeGuess } from '../../auth/rate-limits.ts';
import { toCallerKey } from '../../core/idempotency.ts';
import { boundedText, ignoreNull, omitNull, parseInput } from '../../core/validation.ts';
import { builder } from '../../graphql/builder.ts';
import {
  computePageComplexity,
  toConnection,
  toNamePosition,
  toPageRequest,
} from '../../graphql/connections.ts';
import { streamWhileAuthorized } from '../../graphql/subscriptions.ts';
import { Location, Resource } from '../spaces/graphql.ts';
import { DISPLAY_KINDS, type Display as DisplayRow } from './display.ts';
import { claimPairing, type PairingTarget } from './pairing.ts';
import type * as displays from './service.ts';
import {
  createDisplay,
  type DisplayWithToken,
  listDisplays,
  revokeDisplay,
  rotateDisplayToken,
  updateDisplay,
} from './service.ts';
import { watchDisplayStatus } from './status-changes.ts';

const DisplayKind = builder.enumType('DisplayKind', {
  values: {
    ROOM_PANEL: { value: 'room_panel', description: 'One resource: now and next' },
    EVENT_BOARD: { value: 'event_board', description: 'The coming events of a location' },
    WELCOME: { value: 'welcome', description: 'Announcements and who is expected' },
    KIOSK: { value: 'kiosk', description: 'People check in at it' },
  } as const,
});

const DisplayStatus = builder.enumType('DisplayStatus', {
  values: {
    ONLINE: { value: 'online', description: 'Heard from within 150 seconds' },
    STALE: { value: 'stale', description: 'Heard from within 300 seconds' },
    OFFLINE: { value: 'offline' },
    REVOKED: { value: 'revoked' },
  } as const,
});

const DisplayStatusChange = builder.objectRef<displays.StatusChange>('DisplayStatusChange');
DisplayStatusChange.implement({
  description: 'That a display came or went',
  fields: (t) => ({
    was: t.expose('previousStatus', { type: DisplayStatus }),
    status: t.expose('status', { type: DisplayStatus }),
    at: t.expose('at', { type: 'DateTime' }),
  }),
});

const MAX_STATUS_CHANGES = 100;

const Display = builder.objectRef<displays.Display>('Display');
Display.implement({
  description: 'A paired device on a wall',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    kind: t.expose('kind', { type: DisplayKind }),
    status: t.expose('status', { type: DisplayStatus }),
    location: t.expose('location', { type: Location }),
    resource: t.expose('resource', { type: Resource, nullable: true }),
    tokenPrefix: t.exposeString('tokenPrefix', {
      description: 'Enough to recognise its token, never enough to use it',
    }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime', nullable: true }),
    appVersion: t.exposeString('appVersion', { nullable: true, description: 'As the device says' }),
    uptimeSeconds: t.exposeInt('uptimeSeconds', {
      nullable: true,
      description: 'As the device says',
    }),
    batteryPercent: t.exposeInt('batteryPercent', {
      nullable: true,
      description: 'As the device says',
    }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    statusChanges: t.field({
      type: [DisplayStatusChange],
      description: `How it came and went, newest first; ${MAX_STATUS_CHANGES} at most`,
      args: { last: t.arg.int({ required: true, defaultValue: 10 }) },
      complexity: ({ last }) => ({ field: 1, multiplier: Math.max(1, last) }),
      resolve: ({ id }, args, { loaders }) => {
        const { last } = parseInput(
          z.object({ last: z.int().min(1).max(MAX_STATUS_CHANGES) }),
          args,
        );
        return loaders.statusChanges.load(id, last);
      },
    }),
  }),
});

const READ = { access: 'displays:read' } as const;
const WRITE = { access: 'displays:write' } as const;

const parseDisplayId = (id: string) => parseInput(z.uuid('id: no such display'), id);

builder.queryField('displays', (t) =>
  t.connection({
    type: Display,
    authScopes: READ,
    complexity: computePageComplexity,
    args: { locationId: t.arg.id() },
    resolve: async (_, args, { ctx }) => {
      const filter = parseInput(
        z.object({ locationId: z.uuid().optional() }),
        omitNull({ locationId: args.locationId }),
      );
      return toConnection(
        await listDisplays(ctx, filter, toPageRequest(args)),
        toNamePosition,
        args.after,
      );
    },
  }),
);

const CreateDisplayInput = builder.inputType('CreateDisplayInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    locationId: t.id({ required: true }),
    resourceId: t.id({ description: 'A room panel needs one' }),
    kind: t.field({ type: DisplayKind, required: true }),
  }),
});

const createInput = z.object({
  name: boundedText(200),
  locationId: z.uuid(),
  resourceId: z.uuid().optional(),
  kind: z.enum(DISPLAY_KINDS),
});

const CreateDisplayPayload = builder.objectRef<DisplayWithToken>('CreateDisplayPayload').implement({
  fields: (t) => ({
    deviceToken: t.exposeString('deviceToken', { description: 'Shown this once' }),
    display: t.expose('display', { type: Display }),
  }),
});

builder.mutationField('createDisplay', (t) =>
  t.field({
    type: CreateDisplayPayload,
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateDisplayInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      createDisplay(ctx, parseInput(createInput, omitNull(input))),
  }),
);

const UpdateDisplayInput = builder.inputType('UpdateDisplayInput', {
  description: 'What is left out stays; null takes the resource away',
  fields: (t) => ({
    name: t.string(),
    kind: t.field({ type: DisplayKind }),
    resourceId: t.id({ description: 'One of its location' }),
  }),
});

const updateInput = z.object({
  name: ignoreNull(createInput.shape.name),
  kind: ignoreNull(createInput.shape.kind),
  resourceId: z.uuid().nullish(),
});

builder.mutationField('updateDisplay', (t) =>
  t.field({
    type: Display,
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateDisplayInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      updateDisplay(ctx, parseDisplayId(id), parseInput(updateInput, input)),
  }),
);

builder.mutationField('rotateDisplayToken', (t) =>
  t.field({
    type: CreateDisplayPayload,
    description: 'Makes a new token; the old one lives on for the overlap',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      overlapMinutes: t.arg.int({
        required: true,
        defaultValue: 0,
        description: '0 ends the old one at once; a day at most',
      }),
    },
    resolve: (_, { id, overlapMinutes }, { ctx }) =>
      rotateDisplayToken(ctx, parseDisplayId(id), overlapMinutes),
  }),
);

builder.mutationField('revokeDisplay', (t) =>
  t.field({
    type: Display,
    description: 'Its next poll is refused',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => revokeDisplay(ctx, parseDisplayId(id)),
  }),
);

const ClaimPairingInput = builder.inputType('ClaimPairingInput', {
  description: 'Either a new display, with its name and its location, or displayId alone',
  fields: (t) => ({
    pairingCode: t.string({ required: true, description: 'As the screen shows it, in any case' }),
    name: t.string(),
    locationId: t.id(),
    kind: t.field({
      type: DisplayKind,
      description: 'If left out: ROOM_PANEL where there is a resource, else WELCOME',
    }),
    resourceId: t.id({ description: 'A room panel needs one' }),
    displayId: t.id({
      description:
        'The display whose screen is replaced: its place stays, the token of the old screen ends at once',
    }),
  }),
});

const pairingCodeInput = z.object({ pairingCode: z.string().max(100) });

const newDisplayInput = z.strictObject({
  name: boundedText(200),
  locationId: z.uuid(),
  kind: z.enum(DISPLAY_KINDS).optional(),
  resourceId: z.uuid().optional(),
});

const replacementInput = z.object({
  displayId: z.uuid(),
  ...Object.fromEntries(
    Object.keys(newDisplayInput.shape).map((field) => [
      field,
      z.never('stays as it is: leave it out where displayId is given').optional(),
    ]),
  ),
});

const ClaimPairingPayload = builder
  .objectRef<{ display: DisplayRow }>('ClaimPairingPayload')
  .implement({ fields: (t) => ({ display: t.expose('display', { type: Display }) }) });

builder.mutationField('claimPairing', (t) =>
  t.field({
    type: ClaimPairingPayload,
    description: 'Takes in the screen that shows the code; it fetches its token by itself',
    authScopes: { access: 'displays:write' },
    args: { input: t.arg({ type: ClaimPairingInput, required: true }) },
    // Staff and programs share addresses, so each of them has a limit of their own too.
    guess: (_, { ctx, deps, address }) =>
      toCodeGuess(
        deps.rateLimits.pairingCodes,
        { caller: toCallerKey(ctx.viewer, address), address },
        hasReason('PAIRING_CODE'),
      ),
    resolve: async (_, { input }, { ctx }) => {
      const { pairingCode, ...given } = omitNull(input) as typeof input;
      const typed = parseInput(pairingCodeInput, { pairingCode });
      const wish = parseInput(
        given.displayId ? replacementInput : newDisplayInput,
        given,
      ) as PairingTarget;
      return { display: await claimPairing(ctx, typed.pairingCode, wish) };
    },
  }),
);

const READ_STATUS = { access: 'displays:read' } as const;

type StatusEvent =
  ReturnType<typeof watchDisplayStatus> extends AsyncGenerator<(infer Told)[]> ? Told : never;

const DisplayStatusChanged = builder.objectRef<StatusEvent>('DisplayStatusChanged');
DisplayStatusChanged.implement({
  description: 'That a display came or went just now',
  fields: (t) => ({
    display: t.expose('display', { type: Display }),
    was: t.expose('previousStatus', { type: DisplayStatus }),
    status: t.expose('status', { type: DisplayStatus }),
    at: t.expose('at', { type: 'DateTime' }),
  }),
});

builder.subscriptionField('displayStatusChanged', (t) =>
  t.field({
    type: DisplayStatusChanged,
    authScopes: READ_STATUS,
    args: { locationId: t.arg.id() },
    subscribe: (_, { locationId }, context) =>
      streamWhileAuthorized(context, READ_STATUS.access, (signal) =>
        watchDisplayStatus(context.ctx, locationId ?? undefined, signal),
      ),
    resolve: (news) => news,
  }),
);
