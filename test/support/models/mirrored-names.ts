import { march } from '../factories/space.ts';

/** Runs a mutation. Rejected ones change nothing. */
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
export type Mutate = (field: string, input: object, selection: string) => Promise<any>;

/** Picks the id of one of the rows of a table. */
export type PickId = (table: PickedTable, pick: number) => Promise<string | undefined>;

export type PickedTable = 'booking' | 'location' | 'resource' | 'ticketType' | 'event' | 'team';

/** Changes of objects with names, payments and places that other objects show. */
export function createSharedActions(mutate: Mutate, pickId: PickId) {
  const rename = (table: PickedTable, field: string) => async (pick: number) =>
    mutate(field, { id: await pickId(table, pick), name: `Name ${pick}` }, '__typename');
  return {
    payBooking: async (pick: number) =>
      mutate(
        'markBookingPaid',
        { id: await pickId('booking', pick), method: 'CASH' },
        'booking { id }',
      ),
    undoPayment: async (pick: number) =>
      mutate(
        'markBookingUnpaid',
        { id: await pickId('booking', pick), reason: 'Wrong booking' },
        'booking { id }',
      ),
    returnPayment: async (pick: number) =>
      mutate(
        'returnBookingPayment',
        { id: await pickId('booking', pick), method: 'CASH' },
        'booking { id }',
      ),
    overpayBooking: async (pick: number) => {
      const booked = await mutate(
        'createBooking',
        {
          resourceId: await pickId('resource', 0),
          ...march(29 + (pick % 3), '10:00', '11:00'),
          guest: { name: `Gil ${pick}` },
          override: true,
        },
        'booking { id }',
      );
      const id = booked?.booking.id;
      await mutate('markBookingPaid', { id, method: 'CARD' }, 'booking { id }');
      await mutate('cancelBooking', { id }, 'booking { id }');
      if (pick % 2) await mutate('returnBookingPayment', { id, method: 'CASH' }, 'booking { id }');
    },
    changeHours: async (pick: number) =>
      mutate(
        'setOpeningHours',
        {
          locationId: await pickId('location', pick),
          hours: [{ weekday: pick % 2 ? 'MONDAY' : 'SUNDAY', opens: '08:00', closes: '20:00' }],
        },
        '__typename',
      ),
    renameLocation: rename('location', 'updateLocation'),
    renameRoom: rename('resource', 'updateResource'),
    renameTicketType: rename('ticketType', 'updateTicketType'),
    renameTeam: rename('team', 'updateTeam'),
    retitleEvent: async (pick: number) =>
      mutate(
        'updateEvent',
        { id: await pickId('event', pick), title: `Title ${pick}`, refundHours: pick },
        'event { id }',
      ),
    announce: async (pick: number) =>
      mutate(
        'createAnnouncement',
        { title: `Announcement ${pick}`, locationId: await pickId('location', pick) },
        'announcement { id }',
      ),
    addDisplay: async (pick: number) =>
      mutate(
        'createDisplay',
        { kind: 'WELCOME', name: `Hall ${pick}`, locationId: await pickId('location', pick) },
        'display { id }',
      ),
  };
}
