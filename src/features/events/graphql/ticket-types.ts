import { z } from 'zod';
import {
  boundedText,
  ignoreNull,
  moneyInput,
  omitNull,
  parseInput,
  singleLine,
} from '../../../core/validation.ts';
import { builder, MoneyInput } from '../../../graphql/builder.ts';
import { createTicketType, deleteTicketType, updateTicketType } from '../service.ts';
import { EVENT_VISIBILITIES } from '../types.ts';
import { EventVisibility, TicketType } from './events.ts';

const WRITE = { access: 'events:write' } as const;

const CreateTicketTypeInput = builder.inputType('CreateTicketTypeInput', {
  fields: (t) => ({
    eventId: t.id({ required: true }),
    name: t.string({ required: true }),
    description: t.string(),
    price: t.field({ type: MoneyInput, required: true, description: '0 for a free registration' }),
    quantity: t.int({ description: 'Default: limited only by the capacity of the event' }),
    salesStartAt: t.field({ type: 'DateTime' }),
    salesEndAt: t.field({ type: 'DateTime' }),
    perOrder: t.int({ defaultValue: 10, description: 'The largest quantity in one order' }),
    audience: t.field({
      type: EventVisibility,
      defaultValue: 'public',
      description: 'Who can buy it',
    }),
    position: t.int({ description: 'Default: after the others' }),
  }),
});

const ticketTypeDetails = {
  name: singleLine(200),
  price: moneyInput,
  perOrder: z.int().min(1).max(100),
  audience: z.enum(EVENT_VISIBILITIES),
  position: z.int().min(0).max(1_000_000),
};

/** The optional fields of a ticket type. */
const optionalTicketTypeDetails = {
  description: boundedText(2_000),
  quantity: z.int().min(1).max(1_000_000),
  salesStartAt: z.date(),
  salesEndAt: z.date(),
};

const createTicketTypeInput = z
  .object({ ...ticketTypeDetails, ...optionalTicketTypeDetails, eventId: z.uuid() })
  .partial()
  .required({ eventId: true, name: true, price: true });

/** Renames the input to the names of the service. */
const toDetails = <T extends { perOrder?: number | undefined }>({ perOrder, ...input }: T) => ({
  ...input,
  maxPerOrder: perOrder,
});

builder.mutationField('createTicketType', (t) =>
  t.field({
    type: TicketType,
    description: 'Creates a ticket type. All types of an event have one currency.',
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateTicketTypeInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      createTicketType(ctx, toDetails(parseInput(createTicketTypeInput, omitNull(input)))),
  }),
);

const UpdateTicketTypeInput = builder.inputType('UpdateTicketTypeInput', {
  description:
    'Omitted fields stay as they are. Null clears description, quantity and the sales window.',
  fields: (t) => ({
    name: t.string(),
    description: t.string(),
    price: t.field({ type: MoneyInput, description: 'Ordered tickets keep their price' }),
    quantity: t.int({ description: 'At least the number of sold and held tickets' }),
    salesStartAt: t.field({ type: 'DateTime' }),
    salesEndAt: t.field({ type: 'DateTime' }),
    perOrder: t.int(),
    audience: t.field({ type: EventVisibility }),
    position: t.int(),
    active: t.boolean({ description: 'Whether the type is for sale at all' }),
  }),
});

const updateTicketTypeInput = z.object({
  name: ignoreNull(ticketTypeDetails.name),
  price: ignoreNull(ticketTypeDetails.price),
  perOrder: ignoreNull(ticketTypeDetails.perOrder),
  audience: ignoreNull(ticketTypeDetails.audience),
  position: ignoreNull(ticketTypeDetails.position),
  active: ignoreNull(z.boolean()),
  description: optionalTicketTypeDetails.description.nullish(),
  quantity: optionalTicketTypeDetails.quantity.nullish(),
  salesStartAt: optionalTicketTypeDetails.salesStartAt.nullish(),
  salesEndAt: optionalTicketTypeDetails.salesEndAt.nullish(),
});

builder.mutationField('updateTicketType', (t) =>
  t.field({
    type: TicketType,
    authScopes: WRITE,
    args: {
      id: t.arg.id({ required: true }),
      input: t.arg({ type: UpdateTicketTypeInput, required: true }),
    },
    resolve: (_, { id, input }, { ctx }) =>
      updateTicketType(ctx, id, toDetails(parseInput(updateTicketTypeInput, input))),
  }),
);

builder.mutationField('deleteTicketType', (t) =>
  t.field({
    type: TicketType,
    description: 'Deletes a ticket type without tickets and returns it',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deleteTicketType(ctx, id),
  }),
);
