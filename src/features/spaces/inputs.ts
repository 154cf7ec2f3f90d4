import { z } from 'zod';
import {
  anyId,
  boundedText,
  creationFilter,
  moneyPerHourInput,
  orDefault,
  singleLine,
  slug,
  uuid,
} from '../../core/validation.ts';
import { describeChanges, toChangeShape, toCreationShape } from '../../rows/inputs.ts';
import { closureRow, locationRow, resourceRow, resourceTypes } from './rows.ts';

const locationId = anyId.meta({ description: 'The id of the location' });

export const createLocationInput = z.object(toCreationShape(locationRow));

export const updateLocationInput = z
  .object({ id: locationId, ...toChangeShape(locationRow) })
  .meta({ description: describeChanges(locationRow) });

export const createClosureInput = z.object(toCreationShape(closureRow));

export const closureIdInput = z.object({
  id: anyId.meta({ description: 'The id of the closure' }),
});

export const locationFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the name or address' }),
  })
  .meta({ description: 'Limits a list of locations; all conditions apply together' });

export const resourceFilter = creationFilter
  .extend({
    q: boundedText(200).optional().meta({ description: 'Part of the name' }),
    locationId: uuid.optional().meta({ description: 'Only resources of this location' }),
    type: resourceTypes.optional(),
    area: boundedText(100).optional().meta({ description: 'Only resources in this area' }),
    active: z
      .boolean()
      .optional()
      .meta({ description: 'Only resources that can be booked, or only the others' }),
    minCapacity: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Only resources for at least this many people' }),
    amenities: z
      .array(boundedText(100))
      .max(20)
      .optional()
      .meta({ description: 'Only resources with all of these' }),
  })
  .meta({ description: 'Limits a list of resources; all conditions apply together' });

const pricePerHour = moneyPerHourInput.optional().meta({ description: 'The public price' });

const { name: _name, slug: _slug, ...sharedShape } = toCreationShape(resourceRow);

export const createResourceInput = z.object({ ...toCreationShape(resourceRow), pricePerHour });

const MAX_RESOURCES_AT_ONCE = 200;
const MAX_PREFIX_LENGTH = 90;

export const createResourcesInput = z.object({
  ...sharedShape,
  pricePerHour,
  namePrefix: singleLine(MAX_PREFIX_LENGTH).meta({
    description:
      'What the names begin with: Desk makes Desk 01, Desk 02. A single one from number 1 has no number',
  }),
  slugPrefix: slug.max(MAX_PREFIX_LENGTH).optional().meta({
    description: 'What the slugs begin with: desk makes desk-01. Default: from namePrefix',
  }),
  count: z.int().min(1).max(MAX_RESOURCES_AT_ONCE).meta({ description: 'How many to create' }),
  firstNumber: orDefault(z.int().min(0).max(9_000), 1).meta({
    description: 'The number of the first one. Default: 1',
  }),
});

export const updateResourceInput = z
  .object({
    id: anyId.meta({ description: 'The id of the resource' }),
    ...toChangeShape(resourceRow),
    pricePerHour,
  })
  .meta({ description: describeChanges(resourceRow) });

const { name: _changedName, ...sharedChangeShape } = toChangeShape(resourceRow);

export const resourceVersionInput = z
  .object({
    id: uuid.meta({ description: 'The id of the resource' }),
    ifUpdatedAt: z.date().optional().meta({
      description:
        'The updatedAt that you have read. If someone else has changed the resource since, nothing changes.',
    }),
  })
  .meta({ description: 'A resource to change, and the version that you have read' });

export const updateResourcesInput = z
  .object({
    resources: z
      .array(resourceVersionInput)
      .min(1)
      .max(MAX_RESOURCES_AT_ONCE)
      .meta({ description: 'The resources to change, each once' }),
    ...sharedChangeShape,
    pricePerHour,
  })
  .meta({ description: describeChanges(resourceRow) });
