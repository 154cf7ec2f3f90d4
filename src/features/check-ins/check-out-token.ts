import { createHmac, randomBytes } from 'node:crypto';
import { createSecret, deriveSecret } from '../../auth/tokens.ts';
import { hashJson } from '../../core/encryption.ts';

// Each admission returns a token that ends the visit. It is derived from a salt and the scan id. The database stores
// the salt and the hashes of the token and the scan id. A kiosk that retries a scan after a lost response therefore
// gets the same token.

const SALT_BYTES = 32;

interface CheckOutToken {
  plainText: string;
  columns: {
    checkOutHash: Uint8Array<ArrayBuffer>;
    checkOutSalt: Uint8Array<ArrayBuffer> | null;
  };
}

/** Creates the token of an admission. Without a scan id it is random and cannot be restored. */
export function createCheckOutToken(scanId: string | undefined): CheckOutToken {
  if (scanId === undefined) {
    const { plainText, hash } = createSecret('checkOut');
    return { plainText, columns: { checkOutHash: hash, checkOutSalt: null } };
  }
  const salt = Uint8Array.from(randomBytes(SALT_BYTES));
  const { plainText, hash } = deriveCheckOutToken(scanId, salt);
  return { plainText, columns: { checkOutHash: hash, checkOutSalt: salt } };
}

/** Derives the token of a repeated scan again, or returns null if the first scan created none. */
export const restoreCheckOutToken = (scanId: string, salt: Uint8Array | null): string | null =>
  salt === null ? null : deriveCheckOutToken(scanId, salt).plainText;

const deriveCheckOutToken = (scanId: string, salt: Uint8Array) =>
  deriveSecret('checkOut', createHmac('sha256', salt).update(scanId).digest());

/** Scan ids are stored as hashes, so that random ones cannot be read from the database. */
export const hashScanId = (scanId: string) =>
  Buffer.from(hashJson('scan', scanId)).toString('base64url');
