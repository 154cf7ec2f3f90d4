import { z } from 'zod';
import { builder } from '../../../../graphql/builder.ts';
import { MoneyInput } from '../../../../graphql/money.ts';
import { DAY_MINUTES } from '../../../../time.ts';
import { definite, moneyPerHour, slug, text, valid } from '../../../../validation.ts';
import { Resource, ResourceType } from '../graphql.ts';
import * as resources from '../service.ts';
import { RESOURCE_TYPES } from '../types.ts';

const WRITE = { access: 'spaces:write' } as const;

const WEEK = 7 * DAY_MINUTES;
const YEAR = 365 * DAY_MINUTES;

const upTo = (most: number) => z.int().min(0).max(most);
const minutes = (most: number) => z.int().min(1).max(most);

const details = {
  name: text(200),
  type: z.enum(RESOURCE_TYPES),
  capacity: z.int().min(1).max(1_000_000),
  amenities: z.array(text(100)).max(100),
  pricePerHour: moneyPerHour,
  minMinutes: minutes(WEEK),
  maxMinutes: minutes(WEEK),
  gridMinutes: minutes(DAY_MINUTES),
  bufferMinutes: upTo(DAY_MINUTES),
  noticeMinutes: upTo(YEAR),
  daysAhead: upTo(3650),
  freeCancellationHours: upTo(YEAR / 60),
  requiresApproval: z.boolean(),
};
const noShowMinutes = minutes(DAY_MINUTES);

const CreateResourceInput = builder.inputType('CreateResourceInput', {
  fields: (t) => ({
    locationId: t.id({ required: true }),
    name: t.string({ required: true }),
    slug: t.string({ required: true }),
    type: t.field({ type: ResourceType, required: true }),
    capacity: t.int(),
    amenities: t.stringList(),
    pricePerHour: t.field({ type: MoneyInput }),
    minMinutes: t.int(),
    maxMinutes: t.int(),
    gridMinutes: t.int(),
    bufferMinutes: t.int(),
    noticeMinutes: t.int(),
    daysAhead: t.int(),
    freeCancellationHours: t.int(),
    noShowMinutes: t.int(),
    requiresApproval: t.boolean(),
  }),
});

const createInput = z.object({
  ...z.object(details).partial().shape,
  name: details.name,
  type: details.type,
  noShowMinutes: noShowMinutes.optional(),
  locationId: z.uuid(),
  slug,
});

/** Input as the service names it. */
const toDetails = <
  T extends {
    gridMinutes?: number | undefined;
    noticeMinutes?: number | undefined;
    daysAhead?: number | undefined;
  },
>({
  gridMinutes,
  noticeMinutes,
  daysAhead,
  ...input
}: T) => ({
  ...input,
  slotIntervalMinutes: gridMinutes,
  minNoticeMinutes: noticeMinutes,
  maxAdvanceDays: daysAhead,
});

builder.mutationField('createResource', (t) =>
  t.field({
    type: Resource,
    description: 'Minutes are whole. Rules that are left out are the usual ones.',
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateResourceInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      resources.createResource(ctx, toDetails(valid(createInput, definite(input)))),
  }),
);

const UpdateResourceInput = builder.inputType('UpdateResourceInput', {
  description: 'What is left out stays; null empties noShowMinutes',
  fields: (t) => ({
    name: t.string(),
    type: t.field({ type: ResourceType }),
    capacity: t.int(),
    amenities: t.stringList(),
    pricePerHour: t.field({ type: MoneyInput }),
    minMinutes: t.int(),
    maxMinutes: t.int(),
    gridMinutes: t.int(),
    bufferMinutes: t.int(),
    noticeMinutes: t.int(),
    daysAhead: t.int(),
    freeCancellationHours: t.int(),
    noShowMinutes: t.int(),
    requiresApproval: t.boolean(),
    active: t.boolean({ description: 'Whether it can be booked' }),
  }),
});

const changes = z.object({ ...details, active: z.boolean() }).partial();

builder.mutationField('updateResource', (t) =>
  t.field({
    type: Resource,
    description: 'Bookings that were made by the former rules stay',
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateResourceInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      resources.updateResource(ctx, id, {
        ...toDetails(valid(changes, definite(input))),
        ...valid(z.object({ noShowMinutes: noShowMinutes.nullish() }), input),
      }),
  }),
);
