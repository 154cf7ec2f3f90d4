import { HOUR, type OrderModel, type OrderState, type TypeState } from './documented-orders.ts';

/** The rules of waiting lists as the documentation states them. */

export interface EntryState {
  id: string;
  email: string;
  secret: string;
  typeId: string;
  quantity: number;
  acceptsFewer: boolean;
  /** Set by an offer for some of the tickets that the person did not accept. */
  hasDeclinedFewer: boolean;
  /** A lower number is served first. */
  place: number;
  status: 'WAITING' | 'OFFERED' | 'ACCEPTED' | 'EXPIRED' | 'WITHDRAWN';
  /** The order of the latest offer. */
  order: OrderState | null;
}

export const MAX_OFFER = 24 * HOUR;

export function createWaitlistModel(model: OrderModel) {
  const { event, orders } = model;
  const entries: EntryState[] = [];
  let places = 0;
  const takePlace = () => {
    places += 1;
    return places;
  };

  const isOnSale = (type: TypeState, now: number) =>
    !event.isCancelled &&
    now < event.endsAt &&
    (type.salesStartAt === null || now >= type.salesStartAt) &&
    (type.salesEndAt === null || now < type.salesEndAt);

  /** The most tickets that one entry can want: half of what there is, rounded up, but two if there are two. */
  function toMaxQuantity({ quantity }: TypeState): number {
    const all = Math.min(quantity ?? Infinity, event.capacity ?? Infinity);
    return Math.max(Math.ceil(all / 2), Math.min(2, all));
  }

  function makeOffer(entry: EntryState, quantity: number, price: number) {
    const order: OrderState = {
      ...{ id: '', secret: null, code: '', status: 'PENDING', expiresAt: null },
      items: [{ typeId: entry.typeId, quantity }],
      ...{ validOn: null, codeText: null, total: quantity * price },
      ...{ needsConfirmation: price === 0, seats: [], paid: 0, refunded: 0 },
      isPaymentRecorded: false,
    };
    entry.status = 'OFFERED';
    entry.order = order;
    orders.push(order);
  }

  /** Offers what is left to those who wait, in their order. */
  function offerTickets(now: number) {
    const waiting = entries
      .filter(({ status }) => status === 'WAITING')
      .sort((a, b) => a.place - b.place);
    for (const entry of waiting) {
      const type = event.types.find(({ id }) => id === entry.typeId) as TypeState;
      if (!isOnSale(type, now)) continue;
      const left = model.countLeft(type, now);
      if (left >= entry.quantity) makeOffer(entry, entry.quantity, type.price);
      else if (left > 0 && entry.acceptsFewer) makeOffer(entry, left, type.price);
    }
  }

  const findOffered = (order: OrderState) =>
    entries.find((entry) => entry.status === 'OFFERED' && entry.order === order) ?? null;
  const countOffered = ({ order }: EntryState) => order?.items[0]?.quantity ?? 0;

  /** The person pays or confirms an offer. */
  function acceptOffer(entry: EntryState) {
    const offered = countOffered(entry);
    if (offered < entry.quantity) {
      entry.quantity -= offered;
      entry.status = 'WAITING';
    } else entry.status = 'ACCEPTED';
  }

  /** The person declines an offer, or lets it expire. */
  function endOffer(entry: EntryState) {
    if (countOffered(entry) < entry.quantity) {
      entry.status = 'WAITING';
      entry.acceptsFewer = false;
      entry.hasDeclinedFewer = true;
    } else entry.status = 'EXPIRED';
  }

  /** Changes an entry. It goes to the end only if it accepts fewer again. */
  function changeEntry(entry: EntryState, changes: { quantity?: number; acceptsFewer?: boolean }) {
    entry.quantity = changes.quantity ?? entry.quantity;
    if (changes.acceptsFewer === undefined) return;
    if (changes.acceptsFewer && !entry.acceptsFewer && entry.hasDeclinedFewer) {
      entry.place = takePlace();
      entry.hasDeclinedFewer = false;
    }
    entry.acceptsFewer = changes.acceptsFewer;
  }

  return {
    ...{ entries, takePlace, isOnSale, toMaxQuantity, offerTickets, findOffered, countOffered },
    ...{ acceptOffer, endOffer, changeEntry },
  };
}
