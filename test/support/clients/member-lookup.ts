import { generateCode } from '../../../src/core/ids.ts';
import type { MemberLookup } from '../../../src/features/check-ins/lookup/service/lookup.ts';
import type { TestApp } from '../harness/app.ts';
import { uniqueAddress } from './sign-in.ts';

export type Api = 'GraphQL' | 'REST';
export const APIS: Api[] = ['GraphQL', 'REST'];

export interface LookupResponse extends Partial<MemberLookup> {
  status: number;
  message?: string;
  code?: string;
  reason?: string;
  retryAfter: string | null;
  /** The raw body. */
  raw: string;
}

interface LookupCaller {
  /** The client's address as the proxy reports it. */
  address?: string;
  token?: string;
  key?: string;
}

const QUERY = `query ($locationId: ID!, $query: String!) {
  lookUpMember(locationId: $locationId, query: $query) { matches { handle label hint } tooMany namesOff } }`;

/** Sends a lookup to an app that trusts one proxy, by default from a unique address. */
export async function sendLookup(
  api: Api,
  url: string,
  request: { locationId: string; query: string },
  { address = uniqueAddress(), token, key }: LookupCaller = {},
): Promise<LookupResponse> {
  const { locationId, query } = request;
  const [path, body] =
    api === 'REST'
      ? ['/public/member-lookup', { location_id: locationId, query }]
      : ['/graphql', { query: QUERY, variables: request }];
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    body: JSON.stringify(body),
  });
  // Each query leaves fewer points of the caller's budget.
  const raw = (await response.text()).replace(/"remaining":\d+/, '"remaining":0');
  const { data, errors, success } = JSON.parse(raw);
  const about = { status: response.status, retryAfter: response.headers.get('retry-after'), raw };
  if (api === 'GraphQL') {
    const [error] = errors ?? [];
    return error
      ? { ...about, message: error.message, ...error.extensions }
      : { ...about, ...data.lookUpMember };
  }
  if (!success) return { ...about, message: data };
  return { ...about, matches: data.matches, tooMany: data.too_many, namesOff: data.names_off };
}

export const getLabels = ({ matches, message }: LookupResponse) =>
  matches?.map(({ label }) => label) ?? [`rejected: ${message}`];

let personCount = 0;

export async function addMember(
  app: TestApp,
  name: string,
  given: { status?: 'paused' | 'former'; email?: string; code?: string } = {},
) {
  personCount += 1;
  return app.ctx.db.member.create({
    data: {
      name,
      email: `someone.${personCount}@mail-${personCount}.example`,
      code: generateCode(10),
      ...given,
    },
  });
}

let displays = 0;

/** Creates a paired device of the location. */
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

/** Creates a location with its own lookup budget. Pairing a kiosk does not end public lookups, since it has the setting. It admits all members. */
export async function addLocation(
  app: TestApp,
  given: { lookupNames?: boolean; lookupAccess?: 'public' | 'kiosks' } = {},
) {
  places += 1;
  const { id } = await app.ctx.db.location.create({
    data: {
      ...{ slug: `place-${places}`, name: `Place ${places}`, timeZone: 'Europe/Berlin' },
      ...{ lookupAccess: 'public', memberAdmission: 'all' },
      ...given,
    },
  });
  return id;
}
