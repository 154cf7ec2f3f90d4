import { builder, createInputType } from '../../../graphql/builder.ts';
import type { GraphqlContext } from '../../../graphql/context.ts';
import { getOrderEnum, listField, relationField } from '../../../graphql/list-fields.ts';
import { DayPassType } from '../../day-passes/graphql.ts';
import { DiscountCode } from '../../discounts/graphql.ts';
import { Event, TicketType } from '../../events/graphql/types.ts';
import { Member } from '../../members/graphql/members.ts';
import { Location } from '../../spaces/graphql/locations.ts';
import { dayPassFilter, orderFilter, ticketFilter } from '../inputs.ts';
import { dayPassList, isAtLocation, ticketList } from '../service/list-admissions.ts';
import { orderList } from '../service/list-orders.ts';
import { DayPass, Ticket } from './admissions.ts';
import { Order } from './types.ts';

const READ = { access: 'orders:read' } as const;

/** Members can read their own orders, tickets and day passes. Those of others require orders:read. */
export const authorizeOwnOrders = (
  { id }: { id: string },
  _: unknown,
  { ctx: { viewer } }: GraphqlContext,
) => (viewer.kind === 'member' && viewer.id === id ? true : READ);

const OrderFilter = createInputType('OrderFilter', orderFilter);
const OrderOrder = getOrderEnum('Order', orderList);

builder.queryField('orders', (t) =>
  t.connection({
    type: Order,
    description: 'Orders, newest first',
    authScopes: READ,
    args: {
      filter: t.arg({ type: OrderFilter, description: 'Which orders to list. Default: all.' }),
      orderBy: t.arg({ type: OrderOrder }),
    },
    ...listField(orderList),
  }),
);

builder.objectField(Event, 'orders', (t) =>
  t.connection({
    type: Order,
    description: 'The orders of its tickets, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: OrderFilter }), orderBy: t.arg({ type: OrderOrder }) },
    ...relationField(orderList, (row, event) => `${row}.event_id = ${event}`),
  }),
);

builder.objectField(Member, 'orders', (t) =>
  t.connection({
    type: Order,
    description: 'The orders that they placed while signed in, newest first',
    authScopes: authorizeOwnOrders,
    args: { filter: t.arg({ type: OrderFilter }), orderBy: t.arg({ type: OrderOrder }) },
    ...relationField(orderList, (row, member) => `${row}.member_id = ${member}`, READ.access),
  }),
);

builder.objectField(DiscountCode, 'orders', (t) =>
  t.connection({
    type: Order,
    description: 'The orders with this code, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: OrderFilter }), orderBy: t.arg({ type: OrderOrder }) },
    ...relationField(orderList, (row, code) => `${row}.discount_code_id = ${code}`),
  }),
);

const TicketFilter = createInputType('TicketFilter', ticketFilter, 'Conditions that must all hold');
const TicketOrder = getOrderEnum('Ticket', ticketList);

builder.queryField('tickets', (t) =>
  t.connection({
    type: Ticket,
    description: 'The issued tickets of all events, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: TicketFilter }), orderBy: t.arg({ type: TicketOrder }) },
    ...listField(ticketList),
  }),
);

builder.objectField(Event, 'tickets', (t) =>
  t.connection({
    type: Ticket,
    description: 'Its issued tickets, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: TicketFilter }), orderBy: t.arg({ type: TicketOrder }) },
    ...relationField(ticketList, (row, event) => `${row}.event_id = ${event}`),
  }),
);

builder.objectField(TicketType, 'tickets', (t) =>
  t.connection({
    type: Ticket,
    description: 'The issued tickets of this type, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: TicketFilter }), orderBy: t.arg({ type: TicketOrder }) },
    ...relationField(ticketList, (row, type) => `${row}.ticket_type_id = ${type}`),
  }),
);

const isOfMember = (row: string, member: string) =>
  `${row}.order_id IN (SELECT placed.id FROM orders placed WHERE placed.member_id = ${member})`;

builder.objectField(Member, 'tickets', (t) =>
  t.connection({
    type: Ticket,
    description: 'The issued tickets of their orders, newest first',
    authScopes: authorizeOwnOrders,
    args: { filter: t.arg({ type: TicketFilter }), orderBy: t.arg({ type: TicketOrder }) },
    ...relationField(ticketList, (row, member) => isOfMember(row, member), READ.access),
  }),
);

const DayPassFilter = createInputType(
  'DayPassFilter',
  dayPassFilter,
  'Conditions that must all hold',
);
const DayPassOrder = getOrderEnum('DayPass', dayPassList);

builder.queryField('dayPasses', (t) =>
  t.connection({
    type: DayPass,
    description: 'The issued day passes of all locations, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: DayPassFilter }), orderBy: t.arg({ type: DayPassOrder }) },
    ...listField(dayPassList),
  }),
);

builder.objectField(DayPassType, 'dayPasses', (t) =>
  t.connection({
    type: DayPass,
    description: 'The issued passes of this type, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: DayPassFilter }), orderBy: t.arg({ type: DayPassOrder }) },
    ...relationField(dayPassList, (row, type) => `${row}.type_id = ${type}`),
  }),
);

builder.objectField(Location, 'dayPasses', (t) =>
  t.connection({
    type: DayPass,
    description: 'The issued day passes for this location, newest first',
    authScopes: READ,
    args: { filter: t.arg({ type: DayPassFilter }), orderBy: t.arg({ type: DayPassOrder }) },
    ...relationField(dayPassList, (row, location) => isAtLocation(row, location)),
  }),
);

builder.objectField(Member, 'dayPasses', (t) =>
  t.connection({
    type: DayPass,
    description: 'The issued day passes of their orders, newest first',
    authScopes: authorizeOwnOrders,
    args: { filter: t.arg({ type: DayPassFilter }), orderBy: t.arg({ type: DayPassOrder }) },
    ...relationField(dayPassList, (row, member) => isOfMember(row, member), READ.access),
  }),
);
