import { z } from 'zod';
import { hasReason, toCodeGuess } from '../../../auth/rate-limits.ts';
import { builder } from '../../../graphql/builder.ts';
import { callerOf } from '../../../idempotency.ts';
import { definite, text, valid } from '../../../validation.ts';
import { DISPLAY_KINDS, type Display as DisplayRow } from '../display.ts';
import { Display, DisplayKind } from '../types/graphql.ts';
import * as pairing from './service.ts';

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

const code = z.object({ pairingCode: z.string().max(100) });

const newDisplay = z.strictObject({
  name: text(200),
  locationId: z.uuid(),
  kind: z.enum(DISPLAY_KINDS).optional(),
  resourceId: z.uuid().optional(),
});

const replacement = z.object({
  displayId: z.uuid(),
  ...Object.fromEntries(
    Object.keys(newDisplay.shape).map((field) => [
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
        { caller: callerOf(ctx.viewer, address), address },
        hasReason('PAIRING_CODE'),
      ),
    resolve: async (_, { input }, { ctx }) => {
      const { pairingCode, ...given } = definite(input) as typeof input;
      const typed = valid(code, { pairingCode });
      const wish = valid(given.displayId ? replacement : newDisplay, given) as pairing.Wish;
      return { display: await pairing.claim(ctx, typed.pairingCode, wish) };
    },
  }),
);
