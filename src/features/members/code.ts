import { randomCode } from '../../codes.ts';

/** What a member's QR code says. */
export const memberCode = () => randomCode(10);
