import { v7 } from 'uuid';
import type { Credential } from '../clients/api.ts';
import type { TestApp } from '../harness/app.ts';
import { makeSpace } from './space.ts';

const PRICE = { amount: 1200, currency: 'EUR' };
export const TIMES = { startsAt: '2026-04-20T16:00:00.000Z', endsAt: '2026-04-20T18:00:00.000Z' };

const TICKET_TYPE = `id name description position price { amount currency } left quantity reservedCount sold maxPerOrder audience
  salesStartAt salesEndAt salesOpen saleState active`;
const EVENT = `id slug title summary description status visibility startsAt endsAt timeZone location { id }
  resource { id } tags capacity reservedCount refundHours publishedAt cancelledAt cancelReason
  ticketTypes { ${TICKET_TYPE} }`;

/** The operations on events and ticket types at a new location, by default with events:read and events:write. */
export async function createEventEditor(app: TestApp) {
  const space = await makeSpace(app);
  const both: Credential = {
    token: await app.token('events:read', 'events:write', 'mailings:write'),
  };
  let titles = 0;

  async function call(
    name: string,
    input: object,
    { answer, as = both }: { answer: string; as?: Credential },
  ) {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const text = `mutation ($input: ${type}!) { ${name}(input: $input) { done: ${answer} } }`;
    const { data, errors } = await app.graphql(text, { input }, as);
    return { done: data?.[name].done, error: errors[0]?.extensions, message: errors[0]?.message };
  }
  const EVENT_ANSWER = `event { ${EVENT} }`;
  const TYPE_ANSWER = `ticketType { ${TICKET_TYPE} }`;

  const newTitle = () => {
    titles += 1;
    return `Evening no. ${titles}`;
  };
  const create = (input: object = {}, as = both) =>
    call(
      'createEvent',
      { title: newTitle(), locationId: space.location.id, ...TIMES, ...input },
      { answer: EVENT_ANSWER, as },
    );
  const publish = (id: string) => call('publishEvent', { id }, { answer: EVENT_ANSWER });
  const draft = async (input: object = {}): Promise<string> => (await create(input)).done.id;

  return {
    space,
    both,
    newTitle,
    create,
    publish,
    /** Creates a draft and returns its ID. */
    draft,
    /** Creates a published event and returns its ID. */
    published: async (input: object = {}): Promise<string> => {
      const id = await draft(input);
      await publish(id);
      return id;
    },
    update: (id: string, input: object, as = both) =>
      call('updateEvent', { id, ...input }, { answer: EVENT_ANSWER, as }),
    cancel: (id: string, reason?: string) =>
      call('cancelEvent', { id, reason }, { answer: EVENT_ANSWER }),
    remove: (id: string) => call('deleteEvent', { id }, { answer: 'deletedEventId' }),

    addType: (eventId: string, input: object = {}, as = both) =>
      call(
        'createTicketType',
        { eventId, name: 'Standard', price: PRICE, ...input },
        { answer: TYPE_ANSWER, as },
      ),
    updateType: (id: string, input: object, as = both) =>
      call('updateTicketType', { id, ...input }, { answer: TYPE_ANSWER, as }),
    removeType: (id: string) => call('deleteTicketType', { id }, { answer: 'deletedTicketTypeId' }),

    read: async (slugOrId: string, as: Credential = {}) =>
      (
        await app.graphql(
          `query ($s: String!) { event(slug: $s) { ${EVENT} } }`,
          { s: slugOrId },
          as,
        )
      ).data?.event,
    readRest: async (slugOrId: string, as: Credential = {}) => {
      const { status, body } = await app.rest(`/public/events/${slugOrId}`, as);
      return { status, data: body.data as { event: Record<string, unknown> } };
    },

    /** Pretends that this many tickets were sold. */
    sell: async (typeId: string, count: number) => {
      const { eventId } = await app.ctx.db.ticketType.update({
        where: { id: typeId },
        data: { reservedCount: count },
      });
      await app.ctx.db.event.update({ where: { id: eventId }, data: { reservedCount: count } });
    },
    /** Inserts a cancelled order of the event. */
    order: (eventId: string) =>
      app.ctx.db.order.create({
        data: {
          code: v7(),
          status: 'cancelled',
          eventId,
          buyerName: 'Gisa Guest',
          buyerEmail: 'gisa@example.org',
          currency: 'EUR',
          totalAmount: 0,
        },
      }),
  };
}
