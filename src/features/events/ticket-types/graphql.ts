import { z } from 'zod';
import { builder } from '../../../graphql/builder.ts';
import { MoneyInput } from '../../../graphql/money.ts';
import { definite, line, money, text, unlessNull, valid } from '../../../validation.ts';
import { VISIBILITIES } from '../event.ts';
import { EventVisibility, TicketType } from '../types/graphql.ts';
import * as ticketTypes from './service.ts';

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

const details = {
  name: line(200),
  price: money,
  perOrder: z.int().min(1).max(100),
  audience: z.enum(VISIBILITIES),
  position: z.int().min(0).max(1_000_000),
};

/** What a ticket type may be without. */
const emptiable = {
  description: text(2_000),
  quantity: z.int().min(1).max(1_000_000),
  salesStartAt: z.date(),
  salesEndAt: z.date(),
};

const createInput = z
  .object({ ...details, ...emptiable, eventId: z.uuid() })
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
      ticketTypes.create(ctx, toDetails(valid(createInput, definite(input)))),
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

const changes = z.object({
  name: unlessNull(details.name),
  price: unlessNull(details.price),
  perOrder: unlessNull(details.perOrder),
  audience: unlessNull(details.audience),
  position: unlessNull(details.position),
  active: unlessNull(z.boolean()),
  description: emptiable.description.nullish(),
  quantity: emptiable.quantity.nullish(),
  salesStartAt: emptiable.salesStartAt.nullish(),
  salesEndAt: emptiable.salesEndAt.nullish(),
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
      ticketTypes.update(ctx, id, toDetails(valid(changes, input))),
  }),
);

builder.mutationField('deleteTicketType', (t) =>
  t.field({
    type: TicketType,
    description: 'Only while no ticket was ever made of it; answers with what it was',
    authScopes: WRITE,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { ctx }) => ticketTypes.remove(ctx, id),
  }),
);
