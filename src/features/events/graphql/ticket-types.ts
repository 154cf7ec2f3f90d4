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
import { createTicketType, deleteTicketType, updateTicketType } from '../ticket-types.ts';
import { EVENT_VISIBILITIES } from '../types.ts';
import { EventVisibility, TicketType } from './events.ts';

const WRITE = { access: 'events:write' } as const;

const CreateTicketTypeInput = builder.inputType('CreateTicketTypeInput', {
  fields: (t) => ({
    eventId: t.id({ required: true }),
    name: t.string({ required: true }),
    description: t.string(),
    price: t.field({ type: MoneyInput, required: true, description: '0 is a registration' }),
    quantity: t.int({ description: 'As many as the event holds, if left out' }),
    salesStartAt: t.field({ type: 'DateTime' }),
    salesEndAt: t.field({ type: 'DateTime' }),
    perOrder: t.int({ defaultValue: 10, description: 'At most so many in one order' }),
    audience: t.field({
      type: EventVisibility,
      defaultValue: 'public',
      description: 'Who may buy it',
    }),
    position: t.int({ description: 'After the others, if left out' }),
  }),
});

const ticketTypeDetails = {
  name: singleLine(200),
  price: moneyInput,
  perOrder: z.int().min(1).max(100),
  audience: z.enum(EVENT_VISIBILITIES),
  position: z.int().min(0).max(1_000_000),
};

/** What a ticket type may be without. */
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

/** Input as the service names it. */
const toDetails = <T extends { perOrder?: number | undefined }>({ perOrder, ...input }: T) => ({
  ...input,
  maxPerOrder: perOrder,
});

builder.mutationField('createTicketType', (t) =>
  t.field({
    type: TicketType,
    description: 'All types of an event are sold in one currency',
    authScopes: WRITE,
    args: { input: t.arg({ type: CreateTicketTypeInput, required: true }) },
    resolve: (_, { input }, { ctx }) =>
      createTicketType(ctx, toDetails(parseInput(createTicketTypeInput, omitNull(input)))),
  }),
);

const UpdateTicketTypeInput = builder.inputType('UpdateTicketTypeInput', {
  description: 'What is left out stays; null empties description, quantity and the sales window',
  fields: (t) => ({
    name: t.string(),
    description: t.string(),
    price: t.field({ type: MoneyInput, description: 'What is ordered keeps its own' }),
    quantity: t.int({ description: 'Never below what is sold and held' }),
    salesStartAt: t.field({ type: 'DateTime' }),
    salesEndAt: t.field({ type: 'DateTime' }),
    perOrder: t.int(),
    audience: t.field({ type: EventVisibility }),
    position: t.int(),
    active: t.boolean({ description: 'Whether it is offered at all' }),
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
    description: 'Only while no ticket was ever made of it; answers with what it was',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => deleteTicketType(ctx, id),
  }),
);
