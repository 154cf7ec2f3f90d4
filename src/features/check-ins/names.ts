// Everything between words that is no letter or digit, as ranges that every database understands alike.
const BETWEEN_WORDS =
  '[\\u0001-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u00A9\\u00AB-\\u00B4\\u00B6-\\u00B9\\u00BB-\\u00BF\\u2000-\\u206F\\u3000-\\u3002\\u30FB]+';
const ACCENTS = '[\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]';

/** A name as it is compared, in SQL: in lower case without accents, a single blank between words. Letters that Unicode takes for letters of their own lose their strokes too. */
export const plain = (text: string) =>
  `regexp_replace(replace(replace(replace(translate(lower(regexp_replace(normalize(${text}, NFD), '${ACCENTS}', '', 'g')),
    'łøđħŧıς', 'lodhtiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), '${BETWEEN_WORDS}', ' ', 'g')`;
