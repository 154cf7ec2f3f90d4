const WELL_FORMED = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** A short name for addresses, made from the full one: "Café Süd" gives "cafe-sud". */
export const slugFrom = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);

export const problemWithSlug = (slug: string) =>
  WELL_FORMED.test(slug) ? null : 'Lower-case letters and digits, with single dashes between';
