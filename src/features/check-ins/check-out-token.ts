import { createHmac, randomBytes } from 'node:crypto';
import { createSecret, deriveSecret } from '../../auth/tokens.ts';
import { hashJson } from '../../core/idempotency.ts';

// Whoever was admitted gets a token that ends the visit. The database holds its hash, and a salt. With the salt and the scan
// id, which the database does not hold either, the same scan gets the same token again: a kiosk whose answer was lost on the
// way sends its scan once more.

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

/** Of a scan that is answered again; null where its visit has none. */
export const restoreCheckOutToken = (scanId: string, salt: Uint8Array | null): string | null =>
  salt === null ? null : deriveCheckOutToken(scanId, salt).plainText;

const deriveCheckOutToken = (scanId: string, salt: Uint8Array) =>
  deriveSecret('checkOut', createHmac('sha256', salt).update(scanId).digest());

/** As scan ids are stored: those that clients choose at random cannot be read from the database. */
export const hashScanId = (scanId: string) =>
  Buffer.from(hashJson('scan', scanId)).toString('base64url');
