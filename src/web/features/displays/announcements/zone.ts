const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Its times are by the clocks of its place; what is for every place goes by those of whoever writes it. */
export const zoneOf = (location: { timeZone: string } | null | undefined) =>
  location?.timeZone ?? own;
