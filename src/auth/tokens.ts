import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Which kind of credential a secret is; it opens the text, so that people and scanners can tell. */
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
} as const;
export type SecretKind = keyof typeof SECRET_KINDS;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ENTROPY_CHARACTERS = 43; // 256 bits
const CHECK_CHARACTERS = 6; // a CRC-32
const PREFIX_CHARACTERS = 6;

export interface Secret {
  plainText: string;
  /** SHA-256: all that is kept. */
  hash: Uint8Array<ArrayBuffer>;
  /** Enough to recognise the secret, never enough to use it. */
  prefix: string;
}

export const createSecret = (kind: SecretKind): Secret =>
  toSecret(kind, randomBase62(ENTROPY_CHARACTERS));

/** The secret that these 32 bytes stand for; as good as they are. */
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

/** Whether the text can be such a secret at all: a typo costs no query. */
export function isWellFormedSecret(kind: SecretKind, text: string): boolean {
  const opening = SECRET_KINDS[kind];
  if (text.length !== opening.length + ENTROPY_CHARACTERS + CHECK_CHARACTERS) return false;
  if (!text.startsWith(opening)) return false;
  const body = text.slice(0, -CHECK_CHARACTERS);
  return text.slice(-CHECK_CHARACTERS) === computeChecksum(body);
}

export const hashSecret = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHash('sha256').update(text).digest());

/** Takes secrets out of anything that is written down. */
export const redact = (text: string) =>
  text
    .replace(
      /foyer[a-z]?_[0-9A-Za-z]{8,}/g,
      (secret) => `${secret.slice(0, secret.indexOf('_') + 1)}***`,
    )
    .replace(/whsec_[0-9A-Za-z+/=_-]{8,}/g, 'whsec_***')
    // Percent-encoding hides a secret from the rule above, and not from the route.
    .replace(
      /(?<=\/(?:displays\/(?:state|heartbeat|pairings)|calendars|public\/(?:orders|check-ins)|pay)\/)[^/?#"\s]*%[^/?#"\s]*/g,
      '***',
    );

/** Takes out only the links with which staff set their passwords. */
export const redactStaffLinks = (text: string) =>
  text.replace(/foyeri_[0-9A-Za-z]{8,}/g, `${SECRET_KINDS.staffLink}***`);

function computeChecksum(body: string): string {
  let rest = crc32(body);
  let check = '';
  for (let i = 0; i < CHECK_CHARACTERS; i += 1) {
    check = BASE62[rest % 62] + check;
    rest = Math.floor(rest / 62);
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
      // 248 is the largest multiple of 62 in a byte: above it some letters would come more often.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}
