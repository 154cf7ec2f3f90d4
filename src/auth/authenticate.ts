import type { IncomingHttpHeaders } from 'node:http';
import { unauthenticated } from '../errors.ts';
import type { WriteBehind } from '../jobs/write-behind.ts';
import { isSecure, sessionFrom } from './cookies.ts';
import type { Credentials } from './credentials.ts';
import { hashSecret, isWellFormed, SECRET_KINDS } from './secrets.ts';
import { anonymous, type Viewer } from './viewer.ts';

export interface Caller {
  viewer: Viewer;
  /** The credential came from a cookie, which browsers send on their own. */
  byCookie: boolean;
}

/**
 * Who sends these headers. Throws UNAUTHENTICATED for a credential that does not hold; none at all is anonymous, and so is
 * a device that is paired no longer: what is open to everybody stays open to it.
 */
export async function authenticate(
  headers: IncomingHttpHeaders,
  deps: { credentials: Credentials; writeBehind: WriteBehind; config: { baseUrl: string } },
): Promise<Caller> {
  if (headers.authorization !== undefined) {
    return { viewer: await bearer(headers.authorization, deps), byCookie: false };
  }
  const session = sessionFrom(headers.cookie, { secure: isSecure(deps.config) });
  if (session === undefined) return { viewer: anonymous, byCookie: false };
  const viewer = await bySession(session, deps.credentials);
  if ('sessionId' in viewer) deps.writeBehind.sessionUsed(viewer.sessionId, headers['user-agent']);
  return { viewer, byCookie: true };
}

async function bearer(
  header: string,
  { credentials, writeBehind }: { credentials: Credentials; writeBehind: WriteBehind },
): Promise<Viewer> {
  const secret = secretIn(header);
  if (secret === undefined) throw unauthenticated();
  if (isWellFormed('apiToken', secret)) {
    const token = await credentials.token(hashSecret(secret));
    if (token === null) throw unauthenticated();
    writeBehind.tokenUsed(token.id);
    return { kind: 'token', id: token.id, name: token.name, scopes: token.scopes };
  }
  if (secret.startsWith(SECRET_KINDS.deviceToken)) return byDeviceToken(secret, credentials);
  throw unauthenticated();
}

/** The device that sends these headers, for doors that are open to all: with any other credential, or none, it is nobody. */
export async function deviceIn(
  { authorization = '' }: IncomingHttpHeaders,
  { credentials }: { credentials: Credentials },
): Promise<Viewer> {
  return byDeviceToken(secretIn(authorization) ?? '', credentials);
}

async function byDeviceToken(secret: string, credentials: Credentials): Promise<Viewer> {
  if (!isWellFormed('deviceToken', secret)) return anonymous;
  const device = await credentials.device(hashSecret(secret));
  return device === null ? anonymous : { kind: 'device', ...device };
}

const secretIn = (header: string) => /^bearer +([^ ]+) *$/i.exec(header)?.[1];

/** A cookie that no longer holds is no reason to refuse: the browser sends it until told otherwise. */
async function bySession(secret: string, credentials: Credentials): Promise<Viewer> {
  if (!isWellFormed('session', secret)) return anonymous;
  const session = await credentials.session(hashSecret(secret));
  if (session === null) return anonymous;
  const { id: sessionId, name } = session;
  if (session.role)
    return { kind: 'staff', id: session.userId, name, role: session.role, sessionId };
  if (session.memberId) return { kind: 'member', id: session.memberId, name, sessionId };
  return anonymous;
}
