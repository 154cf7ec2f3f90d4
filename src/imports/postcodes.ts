/** The digits of postcodes that can begin with zeros, and how many of these a spreadsheet can have removed. */
const POSTCODES: Record<string, { digits: number; zeros: number }> = {
  DE: { digits: 5, zeros: 1 },
  ES: { digits: 5, zeros: 1 },
  FR: { digits: 5, zeros: 1 },
  FI: { digits: 5, zeros: 2 },
  IT: { digits: 5, zeros: 2 },
  NO: { digits: 4, zeros: 2 },
  RO: { digits: 6, zeros: 1 },
  US: { digits: 5, zeros: 2 },
};

/**
 * Gives a postcode the zeros back with which it began. A spreadsheet takes it for a number and removes them. Without a country it stays: the
 * postcodes of others, such as Austria and Switzerland, have four digits.
 *
 * @returns null if it has all its digits
 */
export function restoreZeros(postcode: string | null, country: string | null): string | null {
  const known = country === null ? undefined : POSTCODES[country];
  if (postcode === null || known === undefined || !/^[1-9]\d*$/.test(postcode)) return null;
  const missing = known.digits - postcode.length;
  return missing > 0 && missing <= known.zeros ? postcode.padStart(known.digits, '0') : null;
}

export const formatRestoredPostcode = (postcode: string): string =>
  `The postcode is ${postcode}: the file has it without the zeros at its beginning, as spreadsheets save it.`;
