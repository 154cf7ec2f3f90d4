import type { Context } from '../../../context.ts';
import type { Bind } from '../../../db/prepared-statement.ts';
import { matchText } from '../../../db/text-search.ts';
import { findRows } from '../../../lists/read-list.ts';
import { matchEnum, type RowList, type RowSource } from '../../../lists/row-list.ts';
import { dayPassProjection, ticketProjection } from '../projections.ts';
import type { AdmissionStatus } from '../rows.ts';
import type { DayPass, Ticket } from '../types.ts';
import { toOrderVisibleConditions, toScannedCodes } from './list-orders.ts';

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
  findByIds: (ctx, ids) => findIssued<Ticket>(ctx, ticketRows, ids),
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
  findByIds: (ctx, ids) => findIssued<DayPass>(ctx, dayPassRows, ids),
};

/** The condition for day passes of the types of a location. */
export const isAtLocation = (row: string, location: string) =>
  `${row}.type_id IN (SELECT sold.id FROM day_pass_types sold WHERE sold.location_id = ${location})`;

const matchPerson = (row: string, person: 'attendee' | 'holder', q: string, bind: Bind) => {
  const matches = matchText([`${row}.${person}_name`, `${row}.${person}_email`], q, bind);
  return `(${row}.code = ANY (${bind(toScannedCodes(q), 'text[]')}) OR ${matches})`;
};

const ticketRows = {
  table: 'tickets',
  toItem: () => ({
    projection: ticketProjection,
    joins: `JOIN orders purchase ON purchase.id = item.order_id
      JOIN ticket_types type ON type.id = item.ticket_type_id JOIN events event ON event.id = item.event_id
      JOIN locations location ON location.id = event.location_id`,
  }),
};

const dayPassRows = {
  table: 'day_passes',
  toItem: () => ({
    projection: dayPassProjection,
    joins: `JOIN orders purchase ON purchase.id = item.order_id
      JOIN day_pass_types type ON type.id = item.type_id JOIN locations location ON location.id = type.location_id`,
  }),
};

/** Finds the issued ones by id. */
const findIssued = <Admission>(
  ctx: Context,
  rows: typeof ticketRows,
  ids: string[],
  toConditions: (row: string, bind: Bind) => string[] = () => [],
): Promise<Admission[]> =>
  findRows(ctx, rows, ids, (row, bind) => [
    matchEnum(`${row}.status`, ISSUED),
    ...toConditions(row, bind),
  ]);

/** The issued ones of orders that the viewer sees, for fields that lead to one of them. */
const toVisibleAdmissions = <Admission extends { id: string }>(
  rows: typeof ticketRows,
): RowSource<Admission> => ({
  ...rows,
  where: (row, _, { viewer, bind }) => [
    ...toOrderVisibleConditions(row, viewer, bind),
    matchEnum(`${row}.status`, ISSUED),
  ],
  findByIds: (ctx, ids) =>
    findIssued(ctx, rows, ids, (row, bind) => toOrderVisibleConditions(row, ctx.viewer, bind)),
});

export const visibleTickets = toVisibleAdmissions<Ticket>(ticketRows);
export const visibleDayPasses = toVisibleAdmissions<DayPass>(dayPassRows);
