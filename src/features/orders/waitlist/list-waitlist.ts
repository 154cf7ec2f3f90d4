import { canSeeAll, type Viewer } from '../../../auth/viewer.ts';
import type { WaitlistStatus } from '../../../db/generated/enums.ts';
import {
  type Projection,
  projectInstant,
  projectNumber,
  projectUnescaped,
} from '../../../db/json-projection.ts';
import type { Bind } from '../../../db/prepared-statement.ts';
import { matchEnum, type RowList } from '../../../db/row-list.ts';

/** A person on the waiting list of a ticket type. */
export interface WaitlistEntry {
  id: string;
  status: WaitlistStatus;
  name: string;
  email: string;
  /** How many tickets the person still waits for. */
  quantity: number;
  acceptsFewer: boolean;
  ticketType: { id: string; name: string };
  eventId: string;
  memberId: string | null;
  /** The order that holds the offered tickets. */
  orderId: string | null;
  createdAt: Date;
}

interface WaitlistFilter {
  eventId?: string | undefined;
  ticketTypeId?: string | undefined;
  status?: readonly WaitlistStatus[] | undefined;
}

/** Waiting-list entries, newest first. Members see only their own. */
export const waitlist: RowList<WaitlistEntry, WaitlistFilter, 'CREATED_AT'> = {
  name: 'waiting-list entries',
  table: 'waitlist_entries',
  sortKeys: { CREATED_AT: { column: 'created_at', type: 'timestamptz', label: 'time of joining' } },
  defaultOrder: 'CREATED_AT_DESC',
  where: (row, { eventId, ticketTypeId, status }, { viewer, bind }) => [
    ...toVisibleConditions(row, viewer, bind),
    ...(eventId ? [isForEvent(row, bind(eventId, 'uuid'))] : []),
    ...(ticketTypeId ? [`${row}.ticket_type_id = ${bind(ticketTypeId, 'uuid')}`] : []),
    ...(status ? [matchEnum(`${row}.status`, status)] : []),
  ],
  async findByIds({ db }, ids) {
    const rows = await db.waitlistEntry.findMany({
      where: { id: { in: ids } },
      include: { ticketType: { select: { id: true, name: true, eventId: true } } },
    });
    return rows.map(({ ticketType: { eventId, ...ticketType }, ...row }) => ({
      id: row.id,
      status: row.status,
      name: row.name,
      email: row.email,
      quantity: row.quantity,
      acceptsFewer: row.acceptsFewer,
      ticketType,
      eventId,
      memberId: row.memberId,
      orderId: row.orderId,
      createdAt: row.createdAt,
    }));
  },
};

/** Projects an entry. */
export const toWaitlistEntryProjection = (row: string): Projection => {
  const ofType = (column: string) =>
    `(SELECT type.${column} FROM ticket_types type WHERE type.id = ${row}.ticket_type_id)`;
  return {
    id: projectUnescaped(`${row}.id`),
    status: projectUnescaped(`${row}.status`),
    name: `${row}.name`,
    email: `${row}.email`,
    quantity: projectNumber(`${row}.quantity`),
    acceptsFewer: projectNumber(`${row}.accepts_fewer`),
    ticketTypeId: projectUnescaped(`${row}.ticket_type_id`),
    ticketTypeName: ofType('name'),
    eventId: projectUnescaped(ofType('event_id')),
    memberId: projectUnescaped(`${row}.member_id`),
    orderId: projectUnescaped(`${row}.order_id`),
    createdAt: projectUnescaped(projectInstant(`${row}.created_at`)),
  };
};

/** The condition for entries of the ticket types of an event. */
export const isForEvent = (row: string, event: string) =>
  `${row}.ticket_type_id IN (SELECT offered.id FROM ticket_types offered WHERE offered.event_id = ${event})`;

function toVisibleConditions(row: string, viewer: Viewer, bind: Bind): string[] {
  if (canSeeAll(viewer, 'orders:read')) return [];
  return viewer.kind === 'member' ? [`${row}.member_id = ${bind(viewer.id, 'uuid')}`] : ['false'];
}
