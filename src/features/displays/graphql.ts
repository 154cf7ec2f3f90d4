import { hasReason, toCodeGuess } from '../../auth/guesses.ts';
import { toCallerKey } from '../../auth/viewer.ts';
import { builder, createArgs, createInputType } from '../../graphql/builder.ts';
import {
  getOrderEnum,
  listField,
  type RowExtension,
  relationField,
  selectByEvent,
} from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node } from '../../graphql/node.ts';
import { addActions } from '../../graphql/row-actions.ts';
import { showFields } from '../../graphql/row-fields.ts';
import { streamWhileAuthorized } from '../../graphql/subscriptions.ts';
import { Location } from '../spaces/graphql/locations.ts';
import { Resource } from '../spaces/graphql/resources.ts';
import { displayActions } from './allowed-actions.ts';
import {
  claimPairingInput,
  createDisplayInput,
  displayFilter,
  displayIdInput,
  MAX_STATUS_CHANGES,
  rotateDisplayTokenInput,
  statusChangesArgs,
  updateDisplayInput,
} from './inputs.ts';
import { displayRow } from './rows.ts';
import { type Display as DisplayData, toDisplayProjection } from './service/display.ts';
import { displayList } from './service/list-displays.ts';
import {
  createDisplay,
  revokeDisplay,
  rotateDisplayToken,
  updateDisplay,
} from './service/manage-displays.ts';
import { claimPairing } from './service/pairing.ts';
import {
  type DisplayStatusEvent,
  type StatusChange,
  selectStatusEvent,
  toStatusChangeProjection,
  toStatusEventProjection,
  watchDisplayStatus,
} from './service/status-changes.ts';

builder.enumType('DisplayKind', {
  description: 'What a display shows',
  values: {
    ROOM_PANEL: { value: 'room_panel', description: 'Shows one resource: now and next' },
    EVENT_BOARD: { value: 'event_board', description: 'Shows the upcoming events of a location' },
    WELCOME: { value: 'welcome', description: 'Shows announcements and expected visitors' },
    KIOSK: { value: 'kiosk', description: 'Lets people check in' },
  } as const,
});

const DisplayStatus = builder.enumType('DisplayStatus', {
  description: 'Whether heartbeats of a display arrive',
  values: {
    ONLINE: { value: 'online', description: 'Last seen within 150 seconds' },
    STALE: { value: 'stale', description: 'Last seen within 300 seconds' },
    OFFLINE: { value: 'offline', description: 'Not seen within 300 seconds' },
    REVOKED: {
      value: 'revoked',
      description: 'Its token was revoked, so it can no longer use the API',
    },
  } as const,
});

const DisplayStatusChange = builder.objectRef<StatusChange>('DisplayStatusChange');
DisplayStatusChange.implement({
  description: 'A change of the status of a display',
  extensions: { projection: toStatusChangeProjection },
  fields: (t) => ({
    previousStatus: t.expose('previousStatus', {
      type: DisplayStatus,
      description: 'The status until then',
    }),
    status: t.expose('status', { type: DisplayStatus, description: 'The status from then on' }),
    at: t.expose('at', { type: 'DateTime', description: 'When the status changed' }),
  }),
});

export const Display = builder.objectRef<DisplayData>('Display');
Display.implement({
  description: 'A paired screen',
  interfaces: [Node],
  extensions: { projection: toDisplayProjection },
  fields: (t) => ({
    ...showFields(t, displayRow),
    location: t.expose('location', { type: Location, description: 'Where the display is' }),
    resource: t.expose('resource', {
      type: Resource,
      description: 'The resource that a room panel shows; null for other kinds',
      nullable: true,
    }),
    statusChanges: t.field({
      type: [DisplayStatusChange],
      description: `Changes of its status, newest first; at most ${MAX_STATUS_CHANGES}`,
      args: createArgs(statusChangesArgs),
      extensions: {
        row: {
          table: 'display_status_changes',
          where: (row, { last }, { parent, bind }) => [
            `${row}.id IN (SELECT latest.id FROM display_status_changes latest WHERE latest.display_id = ${parent('id')}
              ORDER BY latest.at DESC, latest.recorded_at DESC, latest.id DESC LIMIT ${bind(last, 'int')})`,
          ],
          toOrder: (row) => `${row}.at DESC, ${row}.recorded_at DESC, ${row}.id DESC`,
        } satisfies RowExtension,
      },
      resolve: ({ id }, { last }, { loaders }) => loaders.statusChanges.load(id, last),
    }),
  }),
});

addActions(Display, {
  type: 'DisplayActions',
  noun: 'a display',
  rules: displayActions,
  actions: {
    update: 'Change it with updateDisplay',
    claimPairing: 'Replace its screen with claimPairing',
    rotateToken: 'Replace its token with rotateDisplayToken',
    revoke: 'Revoke it with revokeDisplay',
  },
});

const READ = { access: 'displays:read' } as const;
export const DisplayFilter = createInputType(
  'DisplayFilter',
  displayFilter,
  'Conditions that must all hold',
);
export const DisplayOrder = getOrderEnum('Display', displayList);

builder.queryField('displays', (t) =>
  t.connection({
    type: Display,
    description: 'Displays by name, including revoked ones',
    authScopes: READ,
    args: { filter: t.arg({ type: DisplayFilter }), orderBy: t.arg({ type: DisplayOrder }) },
    ...listField(displayList),
  }),
);

builder.objectField(Location, 'displays', (t) =>
  t.connection({
    type: Display,
    description: 'Its displays by name, including revoked ones',
    authScopes: READ,
    args: { filter: t.arg({ type: DisplayFilter }), orderBy: t.arg({ type: DisplayOrder }) },
    ...relationField(displayList, (row, location) => `${row}.location_id = ${location}`),
  }),
);

builder.objectField(Resource, 'displays', (t) =>
  t.connection({
    type: Display,
    description: 'The displays that show it, by name, including revoked ones',
    authScopes: READ,
    args: { filter: t.arg({ type: DisplayFilter }), orderBy: t.arg({ type: DisplayOrder }) },
    ...relationField(displayList, (row, resource) => `${row}.resource_id = ${resource}`),
  }),
);

addMutation('createDisplay', {
  description: 'Creates a display with a device token',
  access: 'displays:write',
  input: createDisplayInput,
  payload: {
    display: { type: Display, description: 'The new display' },
    deviceToken: { type: 'String', description: 'The token for the device. Shown only once.' },
  },
  creates: { display: displayList },
  resolve: (input, { ctx }) => createDisplay(ctx, input),
});

addMutation('updateDisplay', {
  description: 'Changes the name, the kind or the resource of a display',
  access: 'displays:write',
  input: updateDisplayInput,
  takesVersion: true,
  payload: { display: { type: Display, description: 'The changed display' } },
  resolve: async ({ id, ...change }, { ctx }) => ({
    display: await updateDisplay(ctx, id, change),
  }),
});

addMutation('rotateDisplayToken', {
  description: 'Creates a new token; the old one stays valid for the overlap',
  access: 'displays:write',
  input: rotateDisplayTokenInput,
  payload: {
    display: { type: Display, description: 'The display of the token' },
    deviceToken: { type: 'String', description: 'The new token for the device. Shown only once.' },
  },
  resolve: ({ id, overlapMinutes }, { ctx }) => rotateDisplayToken(ctx, id, overlapMinutes),
});

addMutation('revokeDisplay', {
  description: 'Revokes a display permanently: its next poll fails',
  access: 'displays:write',
  input: displayIdInput,
  payload: { display: { type: Display, description: 'The revoked display' } },
  resolve: async ({ id }, { ctx }) => ({ display: await revokeDisplay(ctx, id) }),
});

addMutation('claimPairing', {
  description: 'Pairs the screen that shows this code; the screen then fetches its token',
  access: 'displays:write',
  input: claimPairingInput,
  payload: { display: { type: Display, description: 'The paired display' } },
  creates: { display: displayList },
  guess: (_, { ctx, deps, address }) =>
    toCodeGuess(
      deps.rateLimits.pairingCodes,
      { caller: toCallerKey(ctx.viewer, address), address },
      hasReason('PAIRING_CODE'),
    ),
  resolve: async ({ pairingCode, target }, { ctx }) => ({
    display: await claimPairing(ctx, pairingCode, target),
  }),
});

const DisplayStatusChanged = builder.objectRef<DisplayStatusEvent>('DisplayStatusChanged');
DisplayStatusChanged.implement({
  description: 'A display whose status has just changed',
  extensions: { projection: toStatusEventProjection },
  fields: (t) => ({
    display: t.expose('display', { type: Display, description: 'The display, as it is now' }),
    previousStatus: t.expose('previousStatus', {
      type: DisplayStatus,
      description: 'The status until then',
    }),
    status: t.expose('status', { type: DisplayStatus, description: 'The status from then on' }),
    at: t.expose('at', { type: 'DateTime', description: 'When the status changed' }),
  }),
});

builder.subscriptionField('displayStatusChanged', (t) =>
  t.field({
    type: DisplayStatusChanged,
    description: 'Displays that come online, go stale or go offline, as it happens',
    authScopes: READ,
    args: { locationId: t.arg.id({ description: 'Only displays at this location' }) },
    extensions: { row: selectByEvent(selectStatusEvent) },
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
