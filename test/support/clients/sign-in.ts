import { PASSWORD } from '../factories/seed.ts';
import type { TestApp } from '../harness/app.ts';

export interface Caller {
  cookie?: string;
  origin?: string;
  /** The client's address as the proxy reports it. */
  address?: string;
}

// Each request comes from its own network by default, so that the attempts of one test do not count against another.
let addresses = 0;
export function uniqueAddress(): string {
  addresses += 1;
  return `10.${addresses >> 8}.${addresses & 255}.1`;
}

/** Sends a query to an app that trusts one proxy. */
export async function sendQuery(
  app: TestApp,
  query: string,
  variables: object,
  caller: Caller = {},
) {
  const { cookie, origin, address = uniqueAddress() } = caller;
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(cookie ? { cookie } : {}),
      ...(origin ? { origin } : {}),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors = [] } = (await response.json()) as {
    data?: Record<string, { kind: string; name: string; role: string }>;
    errors?: { message: string; extensions: Record<string, unknown> }[];
  };
  return { data, error: errors[0], setCookie: response.headers.getSetCookie()[0] ?? '' };
}

const SIGN_IN =
  'mutation ($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) { viewer { kind } } }';
export const signIn = (app: TestApp, email: string, password = PASSWORD, caller: Caller = {}) =>
  sendQuery(app, SIGN_IN, { email, password }, caller);

export const fetchViewer = async (app: TestApp, cookie: string) =>
  (await sendQuery(app, '{ viewer { kind name role } }', {}, { cookie })).data?.viewer;
