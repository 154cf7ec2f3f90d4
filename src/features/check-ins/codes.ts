/** A code as it is kept: in capitals, without blanks and dashes. */
export const plain = (code: string) => code.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '');

/** Codes are printed in groups and typed in small letters; some were imported as they are. */
export const spellings = (code: string) => [...new Set([plain(code), code.trim()])];
