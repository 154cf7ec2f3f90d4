import type { EventVisibility } from '../../../gql/graphql.ts';
import { asMajor, asMinor, isCurrency } from '../../../ui/money.ts';
import type { EventDetails, TicketType } from '../event-queries.ts';
import { changedInstant, localOf, problemWithEnd, problemWithLocal } from '../local-moment.ts';

type Amount = number | string;

export interface TicketTypeValues {
  name: string;
  description: string;
  price: Amount;
  currency: string;
  /** Empty: as many as the event holds. */
  quantity: Amount;
  perOrder: Amount;
  audience: EventVisibility;
  /** By the clocks of the event; empty: from when it is published, until it is over. */
  salesStart: string;
  salesEnd: string;
}

/** All types of an event are sold in one currency, so a new one begins with that of the others. */
export const valuesOf = (event: EventDetails, type: TicketType | undefined): TicketTypeValues => ({
  name: type?.name ?? '',
  description: type?.description ?? '',
  price: type ? asMajor(type.price) : '',
  currency: (type ?? event.ticketTypes[0])?.price.currency ?? 'EUR',
  quantity: type?.quantity ?? '',
  perOrder: type?.perOrder ?? 10,
  audience: type?.audience ?? event.visibility,
  salesStart: localOf(type?.salesStartAt ?? null, event.timeZone),
  salesEnd: localOf(type?.salesEndAt ?? null, event.timeZone),
});

export const validateTicketType = (timeZone: string) => ({
  name: (name: string) => (name.trim() ? null : 'Give it a name'),
  price: (price: Amount) => (price === '' ? 'Fill in the price; 0 is a registration' : null),
  currency: (code: string) => (isCurrency(code) ? null : 'Three letters'),
  perOrder: (amount: Amount) => (Number(amount) > 0 ? null : 'At least one'),
  salesStart: (local: string) => problemWithLocal(local, timeZone),
  salesEnd: (local: string, { salesStart }: TicketTypeValues) =>
    problemWithEnd(salesStart, local, timeZone),
});

export const inputOf = (
  values: TicketTypeValues,
  { timeZone }: EventDetails,
  type: TicketType | undefined,
) => ({
  name: values.name.trim(),
  description: values.description.trim() || null,
  price: { amount: asMinor(Number(values.price), values.currency), currency: values.currency },
  quantity: values.quantity === '' ? null : Number(values.quantity),
  perOrder: Number(values.perOrder),
  audience: values.audience,
  salesStartAt: changedInstant(values.salesStart, type?.salesStartAt ?? null, timeZone),
  salesEndAt: changedInstant(values.salesEnd, type?.salesEndAt ?? null, timeZone),
});
