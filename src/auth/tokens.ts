import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefixes of all kinds of secrets. They let people and secret scanners recognize a secret. */
export const SECRET_KINDS = {
  apiToken: 'foyer_',
  deviceToken: 'foyerd_',
  session: 'foyers_',
  signInLink: 'foyerl_',
  calendarFeed: 'foyerc_',
  orderLink: 'foyero_',
  waitlistLink: 'foyerw_',
  pairing: 'foyerp_',
  lookupHandle: 'foyerh_',
  staffLink: 'foyeri_',
  checkOut: 'foyerv_',
  browser: 'foyerb_',
  emailConfirmation: 'foyere_',
  emailPreferences: 'foyeru_',
} as const;
export type SecretKind = keyof typeof SECRET_KINDS;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ENTROPY_CHARACTERS = 43; // 256 bits
const CHECK_CHARACTERS = 6; // a CRC-32
const PREFIX_CHARACTERS = 6;

export interface Secret {
  plainText: string;
  /** SHA-256, the only part that is stored. */
  hash: Uint8Array<ArrayBuffer>;
  /** Identifies the secret in lists. It does not grant access. */
  prefix: string;
}

export const createSecret = (kind: SecretKind): Secret =>
  toSecret(kind, randomBase62(ENTROPY_CHARACTERS));

/** Derives a secret from 32 bytes, which must be random. */
export const deriveSecret = (kind: SecretKind, bytes: Uint8Array): Secret =>
  toSecret(kind, toBase62(bytes).padStart(ENTROPY_CHARACTERS, '0').slice(-ENTROPY_CHARACTERS));

function toSecret(kind: SecretKind, entropy: string): Secret {
  const body = SECRET_KINDS[kind] + entropy;
  return {
    plainText: body + computeChecksum(body),
    hash: hashSecret(body + computeChecksum(body)),
    prefix: body.slice(0, SECRET_KINDS[kind].length + PREFIX_CHARACTERS),
  };
}

/** Whether the text has the form and checksum of such a secret. A mistyped secret therefore costs no query. */
export function isWellFormedSecret(kind: SecretKind, text: string): boolean {
  const prefix = SECRET_KINDS[kind];
  if (text.length !== prefix.length + ENTROPY_CHARACTERS + CHECK_CHARACTERS) return false;
  if (!text.startsWith(prefix)) return false;
  const body = text.slice(0, -CHECK_CHARACTERS);
  return text.slice(-CHECK_CHARACTERS) === computeChecksum(body);
}

export const hashSecret = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHash('sha256').update(text).digest());

/** Masks secrets in logs and messages. */
export const redact = (text: string) =>
  text
    .replace(
      /foyer[a-z]?_[0-9A-Za-z]{8,}/g,
      (secret) => `${secret.slice(0, secret.indexOf('_') + 1)}***`,
    )
    .replace(/whsec_[0-9A-Za-z+/=_-]{8,}/g, 'whsec_***')
    // A percent-encoded secret escapes the patterns above, so everything encoded in these paths is masked.
    .replace(
      /(?<=\/(?:displays\/(?:state|heartbeat|pairings)|calendars|public\/(?:orders|check-ins|email-preferences)|pay)\/)[^/?#"\s]*%[^/?#"\s]*/g,
      '***',
    );

/** Masks only the links with which staff set their passwords. */
export const redactStaffLinks = (text: string) =>
  text.replace(/foyeri_[0-9A-Za-z]{8,}/g, `${SECRET_KINDS.staffLink}***`);

function computeChecksum(body: string): string {
  let remainder = crc32(body);
  let check = '';
  for (let i = 0; i < CHECK_CHARACTERS; i += 1) {
    check = BASE62[remainder % 62] + check;
    remainder = Math.floor(remainder / 62);
  }
  return check;
}

function toBase62(bytes: Uint8Array): string {
  let text = '';
  for (let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 62n) {
    text = BASE62[Number(rest % 62n)] + text;
  }
  return text;
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte. Larger bytes would make some characters more likely.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}
