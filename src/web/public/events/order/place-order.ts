import { request } from '../../../api/request.ts';
import type { PlaceOrderInput } from '../../../gql/graphql.ts';
import { graphql } from '../../../gql/index.ts';
import type { Money } from '../../../ui/money.ts';
import { type BuyerValues, buyerOf, discountIn } from '../../ordering/buyer.ts';
import { named, type Person } from '../../ordering/people.ts';
import type { OfferedType } from '../queries.ts';

const PLACE = graphql(`
  mutation PlaceOrder($input: PlaceOrderInput!) {
    placeOrder(input: $input) {
      ...Portal
    }
  }
`);

export const placeOrder = async (input: PlaceOrderInput, idempotencyKey: string) =>
  (await request(PLACE, { input }, undefined, idempotencyKey)).placeOrder;

export type Chosen = OfferedType & { count: number };

export function orderInputOf(
  eventId: string,
  values: BuyerValues & { people: Record<string, Person[]> },
  chosen: Chosen[],
): PlaceOrderInput {
  const buyer = buyerOf(values);
  return {
    eventId,
    buyer,
    discountCode: discountIn(values),
    items: chosen.map(({ id, count }) => ({
      ticketTypeId: id,
      quantity: count,
      attendees: named(values.people[id] ?? [], count, buyer),
    })),
  };
}

/** Before any discount; null while nothing is chosen. All types of an event have one currency. */
export function sumOf(chosen: Chosen[]): Money | null {
  const [first] = chosen;
  if (first === undefined) return null;
  const amount = chosen.reduce((sum, { price, count }) => sum + price.amount * count, 0);
  return { amount, currency: first.price.currency };
}
