import QRCode from 'qrcode';

/** The code as a square for a scanner, as SVG. */
export const qrOf = (code: string): Promise<string> =>
  QRCode.toString(code, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });

/** The same as the address of a picture, for a page. */
export const qrImageOf = async (code: string): Promise<string> =>
  `data:image/svg+xml;base64,${Buffer.from(await qrOf(code)).toString('base64')}`;
