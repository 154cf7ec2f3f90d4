import { createStaff } from '../../src/auth/sign-in.ts';
import type { TestApp } from './app.ts';
import { PASSWORD } from './seed.ts';

export interface Asking {
  cookie?: string;
  origin?: string;
  /** As the proxy in front sees it. */
  address?: string;
}

// Everybody asks from a network of their own unless told otherwise: guesses of one test must not count against another.
let addresses = 0;
export function newAddress(): string {
  addresses += 1;
  return `10.${addresses >> 8}.${addresses & 255}.1`;
}

/** To an app that trusts one proxy. */
export async function ask(app: TestApp, query: string, variables: object, asking: Asking = {}) {
  const { cookie, origin, address = newAddress() } = asking;
  const answer = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(cookie ? { cookie } : {}),
      ...(origin ? { origin } : {}),
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors = [] } = (await answer.json()) as {
    data?: Record<string, { kind: string; name: string; role: string }>;
    errors?: { message: string; extensions: Record<string, unknown> }[];
  };
  return { data, refusal: errors[0], setCookie: answer.headers.getSetCookie()[0] ?? '' };
}

const SIGN_IN =
  'mutation ($email: String!, $password: String!) { signIn(email: $email, password: $password) }';
export const signIn = (app: TestApp, email: string, password = PASSWORD, asking: Asking = {}) =>
  ask(app, SIGN_IN, { email, password }, asking);

export const viewer = async (app: TestApp, cookie: string) =>
  (await ask(app, '{ viewer { kind name role } }', {}, { cookie })).data?.viewer;

let people = 0;

/** Somebody new, so that no test stands in another's way. */
export async function somebody(app: TestApp, role: 'owner' | 'manager' | 'front_desk' = 'manager') {
  people += 1;
  const email = `person-no-${people}@example.org`;
  const password = 'copper lantern avenue';
  await createStaff(app.ctx, { name: 'Some Body', email, password, role });
  return { email, password, session: () => app.signIn(email) };
}
