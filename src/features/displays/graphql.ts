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
import { DISPLAY_KINDS, type Display as DisplayData } from './display.ts';
import { claimPairing, type PairingTarget } from './pairing.ts';
import {
  createDisplay,
  type DisplayWithToken,
  listDisplays,
  revokeDisplay,
  rotateDisplayToken,
  type StatusChange,
  updateDisplay,
} from './service.ts';
import { type DisplayStatusEvent, watchDisplayStatus } from './status-changes.ts';

const DisplayKind = builder.enumType('DisplayKind', {
  values: {
    ROOM_PANEL: { value: 'room_panel', description: 'Shows one resource: now and next' },
    EVENT_BOARD: { value: 'event_board', description: 'Shows the coming events of a location' },
    WELCOME: { value: 'welcome', description: 'Shows announcements and expected visitors' },
    KIOSK: { value: 'kiosk', description: 'Lets people check in' },
  } as const,
});

const DisplayStatus = builder.enumType('DisplayStatus', {
  values: {
    ONLINE: { value: 'online', description: 'Last seen within 150 seconds' },
    STALE: { value: 'stale', description: 'Last seen within 300 seconds' },
    OFFLINE: { value: 'offline' },
    REVOKED: { value: 'revoked' },
  } as const,
});

const DisplayStatusChange = builder.objectRef<StatusChange>('DisplayStatusChange');
DisplayStatusChange.implement({
  description: 'A change of the status of a display',
  fields: (t) => ({
    was: t.expose('previousStatus', { type: DisplayStatus }),
    status: t.expose('status', { type: DisplayStatus }),
    at: t.expose('at', { type: 'DateTime' }),
  }),
});

const MAX_STATUS_CHANGES = 100;

const Display = builder.objectRef<DisplayData>('Display');
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
      description: 'The beginning of its token, enough to recognize it',
    }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime', nullable: true }),
    appVersion: t.exposeString('appVersion', {
      nullable: true,
      description: 'Reported by the device',
    }),
    uptimeSeconds: t.exposeInt('uptimeSeconds', {
      nullable: true,
      description: 'Reported by the device',
    }),
    batteryPercent: t.exposeInt('batteryPercent', {
      nullable: true,
      description: 'Reported by the device',
    }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    statusChanges: t.field({
      type: [DisplayStatusChange],
      description: `Changes of its status, newest first; at most ${MAX_STATUS_CHANGES}`,
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

const parseDisplayId = (id: string) => parseInput(z.uuid('id: must be the id of a display'), id);

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
    resourceId: t.id({ description: 'Required for a room panel' }),
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
    deviceToken: t.exposeString('deviceToken', { description: 'Shown only once' }),
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
  description: 'Omitted fields stay; null removes the resource',
  fields: (t) => ({
    name: t.string(),
    kind: t.field({ type: DisplayKind }),
    resourceId: t.id({ description: 'A resource of its location' }),
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
    description: 'Creates a new token; the old one stays valid for the overlap',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      overlapMinutes: t.arg.int({
        required: true,
        defaultValue: 0,
        description:
          'How long the old token stays valid: 0 ends it at once; at most 1440 (one day)',
      }),
    },
    resolve: (_, { id, overlapMinutes }, { ctx }) =>
      rotateDisplayToken(ctx, parseDisplayId(id), overlapMinutes),
  }),
);

builder.mutationField('revokeDisplay', (t) =>
  t.field({
    type: Display,
    description: 'Revokes a display for good: its next poll fails',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => revokeDisplay(ctx, parseDisplayId(id)),
  }),
);

const ClaimPairingInput = builder.inputType('ClaimPairingInput', {
  description: 'Either a new display with name and location, or displayId alone',
  fields: (t) => ({
    pairingCode: t.string({
      required: true,
      description: 'The code on the screen, in upper or lower case',
    }),
    name: t.string(),
    locationId: t.id(),
    kind: t.field({
      type: DisplayKind,
      description: 'Default: ROOM_PANEL if there is a resource, else WELCOME',
    }),
    resourceId: t.id({ description: 'Required for a room panel' }),
    displayId: t.id({
      description:
        'An existing display that gets this screen: the token of its old screen ends at once',
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
      z.never('cannot be combined with displayId: leave it out').optional(),
    ]),
  ),
});

const ClaimPairingPayload = builder
  .objectRef<{ display: DisplayData }>('ClaimPairingPayload')
  .implement({ fields: (t) => ({ display: t.expose('display', { type: Display }) }) });

builder.mutationField('claimPairing', (t) =>
  t.field({
    type: ClaimPairingPayload,
    description: 'Pairs the screen that shows this code; the screen then fetches its token',
    authScopes: { access: 'displays:write' },
    args: { input: t.arg({ type: ClaimPairingInput, required: true }) },
    // Staff and tokens share client addresses, so each of them has a separate limit too.
    guess: (_, { ctx, deps, address }) =>
      toCodeGuess(
        deps.rateLimits.pairingCodes,
        { caller: toCallerKey(ctx.viewer, address), address },
        hasReason('PAIRING_CODE'),
      ),
    resolve: async (_, { input }, { ctx }) => {
      const { pairingCode, ...fields } = omitNull(input) as typeof input;
      const code = parseInput(pairingCodeInput, { pairingCode }).pairingCode;
      const target = parseInput(
        fields.displayId ? replacementInput : newDisplayInput,
        fields,
      ) as PairingTarget;
      return { display: await claimPairing(ctx, code, target) };
    },
  }),
);

const DisplayStatusChanged = builder.objectRef<DisplayStatusEvent>('DisplayStatusChanged');
DisplayStatusChanged.implement({
  description: 'A display whose status has just changed',
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
    authScopes: READ,
    args: { locationId: t.arg.id() },
    subscribe: (_, { locationId }, context) =>
      streamWhileAuthorized(context, READ.access, (signal) =>
        watchDisplayStatus(
          context.ctx,
          context.deps.displayStatusFeed,
          locationId ?? undefined,
          signal,
        ),
      ),
    resolve: (event) => event,
  }),
);
