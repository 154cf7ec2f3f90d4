import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text so that only the same secret decrypts it. The secret is stored nowhere. */
export function encrypt(secret: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, deriveKey(secret), nonce, { authTagLength: TAG_BYTES });
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64');
}

/** @throws Error if the secret differs or the text was changed. */
export function decrypt(secret: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, deriveKey(secret), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(text).toString('utf8');
}

const deriveKey = (secret: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', 'foyer sealed text', 32));
