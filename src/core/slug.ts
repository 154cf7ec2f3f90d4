import slugify from '@sindresorhus/slugify';

/** Converts text to a slug: "Yoga für alle!" becomes "yoga-fuer-alle". Empty if no character can be converted. */
export const toSlug = (text: string, maxLength: number): string =>
  slugify(text.slice(0, 2 * maxLength).normalize('NFKC'), { decamelize: false })
    .slice(0, maxLength)
    .replace(/-$/, '');
