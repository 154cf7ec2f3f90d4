/** "3 of 10", or "3" if there is no limit. */
export const formatSold = (sold: number, of: number | null) =>
  of === null ? `${sold}` : `${sold} of ${of}`;
