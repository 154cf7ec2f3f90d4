import { ERROR_REASONS } from '../../../src/core/error-reasons.ts';
import { assertErrorFields } from './error-fields.ts';

export interface Credential {
  token?: string | undefined;
  cookie?: string | undefined;
}

export interface RestResponse {
  status: number;
  headers: Headers;
  body: { success: boolean; data: unknown };
}

export interface GraphqlResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  data: any;
  extensions: { cost?: Record<string, number> };
  /** The codes of the errors, in order. */
  codes: string[];
  errors: { message: string; extensions: Record<string, unknown> }[];
}

const toHeaders = ({ token, cookie }: Credential): Record<string, string> => ({
  ...(token ? { authorization: `Bearer ${token}` } : {}),
  ...(cookie ? { cookie } : {}),
});

/** @throws if an error has a reason that is not listed. Every error that a test causes is checked. */
function assertListedReason(reason: unknown, message: unknown): void {
  if (!Object.hasOwn(ERROR_REASONS, String(reason)))
    throw new Error(`the error "${message}" has the reason ${reason}, which is not listed`);
}

/** Sends a request to the REST API. */
export async function sendRest(
  url: string,
  as: Credential,
  init: RequestInit,
): Promise<RestResponse> {
  const headers = { accept: 'application/json', ...toHeaders(as), ...init.headers };
  const response = await fetch(url, { ...init, headers });
  const text = await response.text();
  if (response.status >= 400) assertListedReason(response.headers.get('foyer-error-reason'), text);
  return {
    status: response.status,
    headers: response.headers,
    body:
      isJson(response) && text !== '' ? JSON.parse(text) : { success: true, data: text || null },
  };
}

async function readFirstEvent({ body }: Response): Promise<unknown> {
  let received = '';
  for await (const bytes of (body ?? []) as AsyncIterable<Uint8Array>) {
    received += new TextDecoder().decode(bytes);
    const event = /^data: *(\{.*\})$/m.exec(received)?.[1];
    if (event) return JSON.parse(event);
  }
  throw new Error('the stream ended without an event');
}

/** Sends a query to the service at this address, in this process or in another. Of a subscription it returns the first event. */
export async function sendGraphql(
  url: string,
  query: string,
  variables: object,
  as: Credential,
): Promise<GraphqlResponse> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...toHeaders(as) },
    body: JSON.stringify({ query, variables }),
  });
  const result = await readGraphql(response);
  assertErrorFields(query, result.errors);
  return result;
}

/** Reads the response to a GraphQL request. Of a subscription it reads the first event. */
export async function readGraphql(response: Response): Promise<GraphqlResponse> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const {
    data,
    extensions = {},
    errors = [],
  } = (await (isStream ? readFirstEvent(response) : response.json())) as Pick<
    GraphqlResponse,
    'data' | 'errors' | 'extensions'
  >;
  for (const { message, extensions } of errors) assertListedReason(extensions?.reason, message);
  return {
    status: response.status,
    headers: response.headers,
    data,
    extensions,
    errors,
    codes: errors.map(({ extensions }) => String(extensions.code)),
  };
}

/** Signs in with a password and returns the session cookie. */
export async function signIn(url: string, email: string, password: string): Promise<string> {
  const { headers, errors } = await sendGraphql(
    url,
    'mutation ($email: String!, $password: String!) { signIn(input: { email: $email, password: $password }) { viewer { kind } } }',
    { email, password },
    {},
  );
  if (errors[0]) throw new Error(errors[0].message);
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Expects REST's envelope of a failure and nothing else. */
export function expectErrorEnvelope(
  { status, headers, body }: RestResponse,
  expected: number,
  message?: string,
) {
  expect([status, body]).toEqual([
    expected,
    { success: false, data: message ?? expect.stringMatching(/./) },
  ]);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
}

/** Files, such as calendars, have no envelope. */
const isJson = ({ headers }: Response) =>
  !/^text\/calendar/.test(headers.get('content-type') ?? '');
