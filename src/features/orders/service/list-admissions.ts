import type { Context } from '../../../context.ts';
import { type Projection, toJsonSql } from '../../../db/json-projection.ts';
import { type Bind, createParameters, prepareStatement } from '../../../db/prepared-statement.ts';
import { type ListScope, matchEnum, type RowList } from '../../../db/row-list.ts';
import { matchText } from '../../../db/text-search.ts';
import { dayPassProjection, ticketProjection } from '../projections.ts';
import type { AdmissionStatus } from '../rows.ts';
import type { DayPass, Ticket } from '../types.ts';
import { toOrderVisibleConditions } from './list-orders.ts';

/** A ticket in a list, apart from its order. */
interface AdmissionFilter {
  status?: readonly AdmissionStatus[] | undefined;
  /** The code, or part of the name or the email address of the attendee or holder. */
  q?: string | undefined;
}

export interface TicketFilter extends AdmissionFilter {
  eventId?: string | undefined;
  ticketTypeId?: string | undefined;
}

export interface DayPassFilter extends AdmissionFilter {
  dayPassTypeId?: string | undefined;
  locationId?: string | undefined;
  /** Only passes for dates in [from, to]. */
  from?: string | undefined;
  to?: string | undefined;
}

// Held and expired ones were never issued.
const ISSUED = ['valid', 'cancelled'] as const;

/** Issued tickets, newest first. Members see only those of their own orders. */
export const ticketList: RowList<Ticket, TicketFilter, 'CREATED_AT' | 'ATTENDEE_NAME'> = {
  name: 'tickets',
  table: 'tickets',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of ordering' },
    ATTENDEE_NAME: { column: 'attendee_name', type: 'text', label: 'name of the attendee' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { eventId, ticketTypeId, status = ISSUED, q }, { viewer, bind }) => [
    ...toOrderVisibleConditions(row, viewer, bind),
    matchEnum(`${row}.status`, status),
    ...(eventId ? [`${row}.event_id = ${bind(eventId, 'uuid')}`] : []),
    ...(ticketTypeId ? [`${row}.ticket_type_id = ${bind(ticketTypeId, 'uuid')}`] : []),
    ...(q ? [matchPerson(row, 'attendee', q, bind)] : []),
  ],
  findByIds: (ctx, ids) => readTickets(ctx, ids, () => []),
};

/** Issued day passes, newest first. Members see only those of their own orders. */
export const dayPassList: RowList<DayPass, DayPassFilter, 'CREATED_AT' | 'VALID_ON'> = {
  name: 'day passes',
  table: 'day_passes',
  sortKeys: {
    CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of ordering' },
    VALID_ON: { column: 'valid_on', type: 'date', label: 'date' },
  },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { dayPassTypeId, locationId, status = ISSUED, from, to, q }, { viewer, bind }) => [
    ...toOrderVisibleConditions(row, viewer, bind),
    matchEnum(`${row}.status`, status),
    ...(dayPassTypeId ? [`${row}.type_id = ${bind(dayPassTypeId, 'uuid')}`] : []),
    ...(locationId ? [isAtLocation(row, bind(locationId, 'uuid'))] : []),
    ...(from ? [`${row}.valid_on >= ${bind(from, 'date')}`] : []),
    ...(to ? [`${row}.valid_on <= ${bind(to, 'date')}`] : []),
    ...(q ? [matchPerson(row, 'holder', q, bind)] : []),
  ],
  findByIds: (ctx, ids) => readDayPasses(ctx, ids, () => []),
};

/** The condition for day passes of the types of a location. */
export const isAtLocation = (row: string, location: string) =>
  `${row}.type_id IN (SELECT sold.id FROM day_pass_types sold WHERE sold.location_id = ${location})`;

/** Finds tickets by id, for fields that lead to one ticket. Leaves out those that the viewer does not see. */
export const visibleTickets = {
  table: 'tickets',
  where: isVisibleAdmission,
  findByIds: (ctx: Context, ids: string[]) =>
    readTickets(ctx, ids, (bind) => toOrderVisibleConditions('item', ctx.viewer, bind)),
};

/** Finds day passes by id, for fields that lead to one day pass. Leaves out those that the viewer does not see. */
export const visibleDayPasses = {
  table: 'day_passes',
  where: isVisibleAdmission,
  findByIds: (ctx: Context, ids: string[]) =>
    readDayPasses(ctx, ids, (bind) => toOrderVisibleConditions('item', ctx.viewer, bind)),
};

function isVisibleAdmission(row: string, _: object, { viewer, bind }: ListScope): string[] {
  return [...toOrderVisibleConditions(row, viewer, bind), matchEnum(`${row}.status`, ISSUED)];
}

const matchPerson = (row: string, person: 'attendee' | 'holder', q: string, bind: Bind) => {
  const matches = matchText([`${row}.${person}_name`, `${row}.${person}_email`], q, bind);
  return `(${row}.code = ${bind(q.toUpperCase(), 'text')} OR ${matches})`;
};

const readTickets = (
  ctx: Context,
  ids: string[],
  toConditions: (bind: Bind) => string[],
): Promise<Ticket[]> =>
  readAdmissions(
    ctx,
    ids,
    ticketProjection,
    `tickets item ON item.id = listed.id JOIN orders purchase ON purchase.id = item.order_id
     JOIN ticket_types type ON type.id = item.ticket_type_id JOIN events event ON event.id = item.event_id
     JOIN locations location ON location.id = event.location_id`,
    toConditions,
  );

const readDayPasses = (
  ctx: Context,
  ids: string[],
  toConditions: (bind: Bind) => string[],
): Promise<DayPass[]> =>
  readAdmissions(
    ctx,
    ids,
    dayPassProjection,
    `day_passes item ON item.id = listed.id JOIN orders purchase ON purchase.id = item.order_id
     JOIN day_pass_types type ON type.id = item.type_id JOIN locations location ON location.id = type.location_id`,
    toConditions,
  );

async function readAdmissions<Admission>(
  ctx: Context,
  ids: string[],
  projection: Projection,
  joins: string,
  toConditions: (bind: Bind) => string[],
): Promise<Admission[]> {
  const { values, bind } = createParameters();
  const listed = bind(ids, 'uuid[]');
  const issued = matchEnum('item.status', ISSUED);
  const text = `SELECT ${toJsonSql(projection, 'camel')} AS admission
    FROM unnest(${listed}) listed (id) JOIN ${joins}
    WHERE ${[issued, ...toConditions(bind)].join(' AND ')}`;
  const rows = await ctx.pipelinedSql<{ admission: Admission }>(prepareStatement(text), values);
  return rows.map(({ admission }) => admission);
}
