import { generateCode } from '../../src/core/ids.ts';
import type { MemberLookup } from '../../src/features/check-ins/lookup/service.ts';
import type { TestApp } from './app.ts';
import { newAddress } from './people.ts';

export type Door = 'GraphQL' | 'REST';
export const DOORS: Door[] = ['GraphQL', 'REST'];

export interface Asked extends Partial<MemberLookup> {
  status: number;
  message?: string;
  code?: string;
  reason?: string;
  retryAfter: string | null;
  /** As it came. */
  raw: string;
}

interface Asking {
  /** As the proxy in front sees it. */
  address?: string;
  token?: string;
  key?: string;
}

const QUERY = `query ($locationId: ID!, $query: String!) {
  lookUpMember(locationId: $locationId, query: $query) { matches { handle label hint } tooMany namesOff } }`;

/** A lookup through one of the doors of an app that trusts one proxy; from an address of its own unless told otherwise. */
export async function lookUpBy(
  door: Door,
  url: string,
  request: { locationId: string; query: string },
  { address = newAddress(), token, key }: Asking = {},
): Promise<Asked> {
  const { locationId, query } = request;
  const [path, body] =
    door === 'REST'
      ? ['/public/member-lookup', { location_id: locationId, query }]
      : ['/graphql', { query: QUERY, variables: request }];
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    body: JSON.stringify(body),
  });
  const raw = await answer.text();
  const { data, errors, success } = JSON.parse(raw);
  const about = { status: answer.status, retryAfter: answer.headers.get('retry-after'), raw };
  if (door === 'GraphQL') {
    const [error] = errors ?? [];
    return error
      ? { ...about, message: error.message, ...error.extensions }
      : { ...about, ...data.lookUpMember };
  }
  if (!success) return { ...about, message: data };
  return { ...about, matches: data.matches, tooMany: data.too_many, namesOff: data.names_off };
}

export const labels = ({ matches, message }: Asked) =>
  matches?.map(({ label }) => label) ?? [`refused: ${message}`];

let people = 0;

export async function addMember(
  app: TestApp,
  name: string,
  given: { status?: 'paused' | 'former'; email?: string; code?: string } = {},
) {
  people += 1;
  return app.ctx.db.member.create({
    data: {
      name,
      email: `someone.${people}@mail-${people}.example`,
      code: generateCode(10),
      ...given,
    },
  });
}

let displays = 0;

/** A paired device of the location, with its token. */
export async function addDisplay(
  app: TestApp,
  locationId: string,
  kind: 'kiosk' | 'welcome' = 'kiosk',
) {
  displays += 1;
  const { display, deviceToken } = await app.display({
    ...{ name: `Display ${displays}`, kind, locationId },
  });
  return { id: display.id, token: deviceToken };
}

let places = 0;

/** A location of one's own: what was told elsewhere counts nothing here. */
export async function addPlace(
  app: TestApp,
  given: { lookupNames?: boolean; lookupNeedsKiosk?: boolean } = {},
) {
  places += 1;
  const { id } = await app.ctx.db.location.create({
    data: { slug: `place-${places}`, name: `Place ${places}`, timeZone: 'Europe/Berlin', ...given },
  });
  return id;
}
