import { createHmac, randomBytes } from 'node:crypto';
import { createSecret, deriveSecret } from '../../auth/tokens.ts';
import { hashJson } from '../../core/idempotency.ts';

// Each admission returns a token that ends the visit. The database stores its hash and a salt. The token is derived from the salt
// and the scan id, of which the database has only a hash. So a kiosk that lost a response and retries its scan gets the same token.

const SALT_BYTES = 32;

interface CheckOutToken {
  plainText: string;
  columns: {
    checkOutHash: Uint8Array<ArrayBuffer>;
    checkOutSalt: Uint8Array<ArrayBuffer> | null;
  };
}

export function createCheckOutToken(scanId: string | undefined): CheckOutToken {
  if (scanId === undefined) {
    const { plainText, hash } = createSecret('checkOut');
    return { plainText, columns: { checkOutHash: hash, checkOutSalt: null } };
  }
  const salt = Uint8Array.from(randomBytes(SALT_BYTES));
  const { plainText, hash } = deriveCheckOutToken(scanId, salt);
  return { plainText, columns: { checkOutHash: hash, checkOutSalt: salt } };
}

/** Derives the token of a repeated scan again. Null if its attempt created none. */
export const restoreCheckOutToken = (scanId: string, salt: Uint8Array | null): string | null =>
  salt === null ? null : deriveCheckOutToken(scanId, salt).plainText;

const deriveCheckOutToken = (scanId: string, salt: Uint8Array) =>
  deriveSecret('checkOut', createHmac('sha256', salt).update(scanId).digest());

/** Scan ids are stored as hashes, so that random ones cannot be read from the database. */
export const hashScanId = (scanId: string) =>
  Buffer.from(hashJson('scan', scanId)).toString('base64url');
