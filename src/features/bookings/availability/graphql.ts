import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { Money } from '../../../graphql/money.ts';
import { definite, readable, text } from '../../../validation.ts';
import { Resource, ResourceType } from '../../spaces/graphql.ts';
import { RESOURCE_TYPES } from '../../spaces/resources/types.ts';
import { Slot } from '../decisions/graphql.ts';
import { type Availability, availability, type PricedSlot as PricedSlotValue } from './service.ts';

const PricedSlot = builder.objectRef<PricedSlotValue>('PricedSlot');
PricedSlot.implement({
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime' }),
    localStart: t.exposeString('localStart', {
      description:
        "By the location's clocks, with the offset from UTC, which tells apart what they show twice",
    }),
    price: t.expose('price', { type: Money, description: 'If it were booked alone' }),
  }),
});

const ResourceAvailability = builder.objectRef<Availability>('ResourceAvailability');
ResourceAvailability.implement({
  fields: (t) => ({
    resource: t.expose('resource', { type: Resource }),
    free: t.field({
      type: [Slot],
      description:
        'While the location is open and nothing stands in the way, whether or not it may still be booked',
      resolve: (found) => found.free(),
    }),
    slots: t.field({
      type: [PricedSlot],
      description: 'Every start at which a booking of so many minutes can be had',
      resolve: (found) => found.slots(),
    }),
  }),
});

/** Two of them in one request, no more. */
const MUCH = 2_400;

const args = z.object({
  from: z.date().optional(),
  to: z.date().optional(),
  minutes: z.int().min(1).max(44_640).optional(),
  resourceId: z.uuid().optional(),
  resourceIds: z.array(z.uuid()).max(100).optional(),
  locationId: z.uuid().optional(),
  type: z.enum(RESOURCE_TYPES).optional(),
  capacity: z.int().min(1).optional(),
  amenities: z.array(text(100)).max(20).optional(),
  memberId: z.uuid().optional(),
});

builder.queryField('availability', (t) =>
  t.field({
    type: [ResourceAvailability],
    description: 'What can be booked, at most 100 resources by name, within at most 31 days',
    authScopes: { access: 'spaces:read' },
    complexity: MUCH,
    args: {
      from: t.arg({ type: 'DateTime', description: 'Now, if left out' }),
      to: t.arg({ type: 'DateTime', description: 'A week after from, if left out' }),
      minutes: t.arg.int({ description: "The slots' length; else each resource's shortest" }),
      resourceId: t.arg.id(),
      resourceIds: t.arg.idList(),
      locationId: t.arg.id(),
      type: t.arg({ type: ResourceType }),
      capacity: t.arg.int({ description: 'For at least so many people' }),
      amenities: t.arg.stringList({ description: 'With all of them' }),
      memberId: t.arg.id({ description: 'Whose prices; needs members:read' }),
    },
    resolve: (_, given, { ctx }) => {
      const { from, to, minutes, memberId, resourceId, resourceIds, ...filter } = readable(
        args,
        definite(given),
      );
      const ids = resourceId ? [resourceId, ...(resourceIds ?? [])] : resourceIds;
      return availability(ctx, { ids, ...filter }, { from, to, minutes, memberId });
    },
  }),
);
