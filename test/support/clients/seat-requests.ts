import { getReasons, makeBuyer } from '../factories/events.ts';
import type { TestApp } from '../harness/app.ts';

/** Events without own limits have those of the service. */
export const DEFAULTS = {
  maxSeatsPerEmail: null,
  maxSeatsPerAddress: null,
  maxSeatsPerNetwork: null,
  confirmFreeOrders: null,
};
export const HOUR_MS = 3_600_000;

export const times = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));

/** Requests for seats from chosen addresses. */
export function createSeatRequests(getApp: () => TestApp) {
  let addresses = 0;
  /** In an IPv4 /24 that no other test uses. */
  const newAddress = () => {
    addresses += 1;
    return `10.${addresses >> 8}.${addresses & 255}.1`;
  };

  const send = (path: string, address: string, body: object) =>
    getApp().rest(
      path,
      {},
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify(body),
      },
    );

  const orderFrom = (
    address: string,
    event: { id: string; type: string },
    quantity = 1,
    email = makeBuyer().email,
  ) =>
    send(`/public/events/${event.id}/orders`, address, {
      buyer: { name: 'Nora Lind', email },
      items: [{ ticket_type_id: event.type, quantity }],
    });

  async function graphqlFrom(address: string, query: string, input: object, as: HeadersInit = {}) {
    const response = await fetch(`${getApp().url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...as },
      body: JSON.stringify({ query, variables: { input } }),
    });
    const { data, errors = [] } = await response.json();
    return { data, errors, reasons: getReasons({ errors }) };
  }

  return { newAddress, send, orderFrom, graphqlFrom };
}
