import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { Money } from '../../../graphql/money.ts';
import { byItsName, pagedBy } from '../../../graphql/pages.ts';
import { Location } from '../locations/graphql.ts';
import * as resources from './service.ts';
import { RESOURCE_TYPES } from './types.ts';

const READ = { access: 'spaces:read' } as const;

/** What other nouns say of it; the rest is loaded when it is asked for. */
type Brief = { id: string; name: string };

/** A field for who may read spaces. */
const of = <T>(pick: (resource: resources.Resource) => T) => ({
  authScopes: READ,
  resolve: (it: Brief, _: unknown, { loaders }: GraphqlContext) =>
    'slug' in it ? pick(it as resources.Resource) : loaders.resource.load(it.id).then(pick),
});

export const ResourceType = builder.enumType('ResourceType', {
  values: {
    ROOM: { value: 'room' },
    DESK: { value: 'desk' },
    EQUIPMENT: { value: 'equipment' },
  } as const,
});

export const Resource = builder.objectRef<Brief>('Resource');
Resource.implement({
  description: 'Something bookable at a location',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    slug: t.string(of((resource) => resource.slug)),
    type: t.field({ type: ResourceType, ...of((resource) => resource.type) }),
    capacity: t.int(of((resource) => resource.capacity)),
    location: t.field({ type: Location, ...of((resource) => resource.location) }),
    pricePerHour: t.field({ type: Money, ...of((resource) => resource.pricePerHour) }),
    minMinutes: t.int(of((resource) => resource.minMinutes)),
    maxMinutes: t.int(of((resource) => resource.maxMinutes)),
    gridMinutes: t.int({
      description: 'Bookings begin on it, by the wall clock, and last multiples of it',
      ...of((resource) => resource.slotIntervalMinutes),
    }),
    bufferMinutes: t.int({
      description: 'Kept free after a booking',
      ...of((resource) => resource.bufferMinutes),
    }),
    noticeMinutes: t.int({
      description: 'Booked at least so long before',
      ...of((resource) => resource.minNoticeMinutes),
    }),
    daysAhead: t.int({
      description: 'Booked at most so long before',
      ...of((resource) => resource.maxAdvanceDays),
    }),
    freeCancellationHours: t.int({
      description: 'Before the start; later the price stays due',
      ...of((resource) => resource.freeCancellationHours),
    }),
    noShowMinutes: t.int({
      description: 'Who has not arrived by then loses the booking; null: nobody does',
      nullable: true,
      ...of((resource) => resource.noShowMinutes),
    }),
    requiresApproval: t.boolean({
      description: "Members' bookings wait for staff",
      ...of((resource) => resource.requiresApproval),
    }),
    amenities: t.stringList(of((resource) => resource.amenities)),
    active: t.boolean(of((resource) => resource.active)),
  }),
});

const ResourceFilter = builder.inputType('ResourceFilter', {
  fields: (t) => ({ locationId: t.id(), type: t.field({ type: ResourceType }) }),
});

const filter = z.object({
  locationId: z.uuid().optional(),
  type: z.enum(RESOURCE_TYPES).optional(),
});

builder.queryField('resources', (t) =>
  t.connection({
    type: Resource,
    authScopes: READ,
    args: { filter: t.arg({ type: ResourceFilter }) },
    ...pagedBy(filter, resources.resources, byItsName),
  }),
);

builder.queryField('resource', (t) =>
  t.field({
    type: Resource,
    authScopes: READ,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => resources.resource(ctx, id),
  }),
);
