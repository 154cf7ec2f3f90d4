import { z } from 'zod';
import { boundedText, uuid } from '../../core/validation.ts';
import { describeChanges, toChangeShape, toCreationShape } from '../../rows/inputs.ts';
import { displayRow } from './rows.ts';
import type { PairingTarget } from './service/pairing.ts';

const id = uuid.meta({ description: 'The id of the display' });

export const displayIdInput = z.object({ id });

export const displayFilter = z.object({
  locationId: uuid.optional().meta({ description: 'Only displays at this location' }),
  resourceId: uuid.optional().meta({ description: 'Only displays of this resource' }),
  kind: z
    .array(displayRow.columns.kind.schema)
    .min(1)
    .max(displayRow.columns.kind.schema.options.length)
    .optional()
    .meta({ description: 'Only displays of one of these kinds' }),
  revoked: z.boolean().optional().meta({ description: 'Only revoked displays, or only others' }),
  q: boundedText(200).optional().meta({ description: 'Part of the name' }),
});

export const MAX_STATUS_CHANGES = 100;

export const statusChangesArgs = z.object({
  last: z
    .int()
    .min(1)
    .max(MAX_STATUS_CHANGES)
    .prefault(10)
    .meta({ description: 'How many changes to return, the newest first' }),
});

const creationShape = toCreationShape(displayRow);

export const createDisplayInput = z.object(creationShape);

export const updateDisplayInput = z
  .object({ id, ...toChangeShape(displayRow) })
  .meta({ description: describeChanges(displayRow) });

export const rotateDisplayTokenInput = z.object({
  id,
  overlapMinutes: z.int().prefault(0).meta({
    description:
      'How many minutes the old token stays valid: 0 ends it immediately; at most 1440 (one day)',
  }),
});

export const claimPairingInput = z
  .object({
    pairingCode: z
      .string()
      .max(100)
      .meta({ description: 'The code on the screen, in upper or lower case' }),
    name: creationShape.name.optional(),
    locationId: uuid.optional().meta({ description: 'The location of a new display' }),
    kind: creationShape.kind
      .optional()
      .meta({ description: 'Default: ROOM_PANEL if there is a resource, otherwise WELCOME' }),
    resourceId: uuid.optional().meta({ description: 'Required for a room panel' }),
    displayId: uuid.optional().meta({
      description:
        'An existing display that gets this screen. The token of its old screen is revoked immediately.',
    }),
  })
  .meta({ description: 'Either a new display with name and location, or displayId alone' })
  .transform(({ pairingCode, displayId, ...fields }, ctx) => {
    const reject = (field: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [field], message });
    if (displayId !== undefined) {
      for (const field of Object.keys(fields))
        reject(field, 'cannot be combined with displayId: leave it out');
      return { pairingCode, target: { displayId } satisfies PairingTarget };
    }
    const { name, locationId, ...options } = fields;
    if (name !== undefined && locationId !== undefined)
      return { pairingCode, target: { name, locationId, ...options } satisfies PairingTarget };
    if (name === undefined) reject('name', 'is missing');
    if (locationId === undefined) reject('locationId', 'is missing');
    return z.NEVER;
  });
