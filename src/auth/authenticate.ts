import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import DataLoader from 'dataloader';
import type { DisplayKind } from '../db/generated/client.ts';
import { prepareStatement, type Sql, type Statement } from '../db/prepared-statement.ts';
import { DomainError, unauthenticated } from '../errors.ts';
import { readSessionCookie } from './cookies.ts';
import type { CredentialUses } from './credential-uses.ts';
import { hashSecret, isWellFormedSecret, SECRET_KINDS } from './tokens.ts';
import { anonymous, type StaffRole, type Viewer } from './viewer.ts';

interface Caller {
  viewer: Viewer;
  /** Whether the credential came from a cookie, which browsers send automatically. */
  hasCookieCredential: boolean;
}

/**
 * Identifies the caller by the headers of a request. A request without a credential is anonymous. A request with an ended
 * session or of an unpaired device is anonymous too, so that it can still use public operations.
 * @throws UNAUTHENTICATED for any other invalid credential; BAD_REQUEST for two different ones.
 */
export async function authenticate(
  headers: IncomingHttpHeaders,
  deps: {
    credentials: CredentialLookup;
    credentialUses: CredentialUses;
    config: { baseUrl: string };
  },
): Promise<Caller> {
  if (headers.authorization !== undefined) {
    return {
      viewer: await authenticateBearer(headers.authorization, deps),
      hasCookieCredential: false,
    };
  }
  const session = readSessionCookie(headers.cookie, deps.config);
  if (session === undefined) return { viewer: anonymous, hasCookieCredential: false };
  const viewer = await authenticateSession(session, deps.credentials);
  if ('sessionId' in viewer)
    deps.credentialUses.recordSessionUse(viewer.sessionId, headers['user-agent']);
  return { viewer, hasCookieCredential: true };
}

/** Whether `authenticate` may have to ask the database. */
export const hasCredential = ({ authorization, cookie }: IncomingHttpHeaders): boolean =>
  authorization !== undefined || cookie !== undefined;

async function authenticateBearer(
  header: string,
  {
    credentials,
    credentialUses,
  }: { credentials: CredentialLookup; credentialUses: CredentialUses },
): Promise<Viewer> {
  const secret = parseBearerSecret(header);
  if (secret === undefined)
    throw header.includes(SEPARATOR) ? createTwoCredentialsError() : unauthenticated();
  if (isWellFormedSecret('apiToken', secret)) {
    const token = await credentials.findToken(hashSecret(secret));
    if (token === null) throw unauthenticated();
    credentialUses.recordTokenUse(token.id);
    return { kind: 'token', id: token.id, name: token.name, scopes: token.scopes };
  }
  if (secret.startsWith(SECRET_KINDS.deviceToken))
    return authenticateDeviceToken(secret, credentials);
  throw unauthenticated();
}

/** No header can contain it. */
const SEPARATOR = '\n';

/**
 * Joins several different Authorization headers to one that authenticates nobody. Of those, Node keeps the first and proxies often the last,
 * so a proxy could check one and Foyer another.
 */
export function joinCredentials({ rawHeaders, headers }: IncomingMessage): void {
  if (headers.authorization === undefined) return;
  const given = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'authorization')
      given.add(rawHeaders[index + 1] as string);
  if (given.size > 1) headers.authorization = [...given].join(SEPARATOR);
}

const createTwoCredentialsError = () =>
  new DomainError('BAD_REQUEST', 'The request has two different credentials. Send one.', {
    reason: 'INVALID_INPUT',
  });

/** Identifies a device on a public route. A caller with any other credential is anonymous. */
export async function identifyDevice(
  { authorization = '' }: IncomingHttpHeaders,
  { credentials }: { credentials: CredentialLookup },
): Promise<Viewer> {
  return authenticateDeviceToken(parseBearerSecret(authorization) ?? '', credentials);
}

async function authenticateDeviceToken(
  secret: string,
  credentials: CredentialLookup,
): Promise<Viewer> {
  if (!isWellFormedSecret('deviceToken', secret)) return anonymous;
  const device = await credentials.findDevice(hashSecret(secret));
  return device === null ? anonymous : { kind: 'device', ...device };
}

const parseBearerSecret = (header: string) => /^bearer +([^ ]+) *$/i.exec(header)?.[1];

/** Returns an anonymous viewer for an ended session, since browsers keep sending its cookie. */
export async function authenticateSession(
  secret: string,
  credentials: CredentialLookup,
): Promise<Viewer> {
  if (!isWellFormedSecret('session', secret)) return anonymous;
  const session = await credentials.findSession(hashSecret(secret));
  if (session === null) return anonymous;
  const { id: sessionId, name } = session;
  if (session.role)
    return { kind: 'staff', id: session.userId, name, role: session.role, sessionId };
  if (session.memberId) return { kind: 'member', id: session.memberId, name, sessionId };
  return anonymous;
}

// Every request checks its credential in the database, so that a revocation takes effect immediately on every instance.
// Requests that arrive while the event loop is busy share one statement, so the check is cheap.

interface TokenRow {
  id: string;
  name: string;
  scopes: string[];
}

interface SessionRow {
  id: string;
  userId: string;
  name: string;
  role: StaffRole | null;
  memberId: string | null;
}

interface DeviceRow {
  id: string;
  name: string;
  display: DisplayKind;
  locationId: string;
}

export interface CredentialLookup {
  findToken(hash: Uint8Array): Promise<TokenRow | null>;
  findSession(hash: Uint8Array): Promise<SessionRow | null>;
  findDevice(hash: Uint8Array): Promise<DeviceRow | null>;
}

const FIND_TOKENS = prepareStatement(`
  SELECT hash, id, name, scopes FROM api_tokens
  WHERE hash = ANY($1::bytea[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`);

const FIND_SESSIONS = prepareStatement(`
  SELECT s.token_hash AS hash, s.id, u.id AS "userId", u.name, u.role, u.member_id AS "memberId"
  FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN members m ON m.id = u.member_id
  WHERE s.token_hash = ANY($1::bytea[]) AND s.expires_at > $2 AND u.disabled_at IS NULL
    AND (m.id IS NULL OR m.status <> 'former')`);

// A rotated token stays valid until previous_token_until.
const FIND_DEVICES = prepareStatement(`
  SELECT token_hash AS hash, id, name, kind::text AS display, location_id AS "locationId" FROM displays
  WHERE token_hash = ANY($1::bytea[]) AND revoked_at IS NULL
  UNION ALL
  SELECT previous_token_hash, id, name, kind::text, location_id FROM displays
  WHERE previous_token_hash = ANY($1::bytea[]) AND revoked_at IS NULL AND previous_token_until > $2::timestamptz`);

export function createCredentialLookup(sql: Sql, now: () => Date): CredentialLookup {
  const lookup = <Row>(query: Statement) => {
    const loader = new DataLoader<Uint8Array, Row | null>(
      async (hashes) => {
        const rows = await sql<Row & { hash: Uint8Array }>(query, [hashes, now()]);
        const byHash = new Map(rows.map((row) => [toHashKey(row.hash), row]));
        return hashes.map((hash) => byHash.get(toHashKey(hash)) ?? null);
      },
      { cache: false, batchScheduleFn: setImmediate },
    );
    return (hash: Uint8Array) => loader.load(hash);
  };
  return {
    findToken: lookup<TokenRow>(FIND_TOKENS),
    findSession: lookup<SessionRow>(FIND_SESSIONS),
    findDevice: lookup<DeviceRow>(FIND_DEVICES),
  };
}

const toHashKey = (hash: Uint8Array) =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
