import type { Ctx } from '../../../context.ts';
import type { Question } from './question.ts';

export interface Found {
  id: string;
  name: string;
  email: string;
}

/** At most so many, in no order. Paused members are found, for the check-in to tell them; former ones are not. */
export async function find({ db }: Ctx, question: Question, most: number): Promise<Found[]> {
  if (!question.exact) return db.$queryRawUnsafe<Found[]>(BY_NAME, question.name, most);
  const { exact, ...who } = question;
  return db.member.findMany({
    where: { ...who, status: { not: 'former' } },
    select: { id: true, name: true, email: true },
  });
}

// Everything between words that is no letter or digit, as ranges that every database understands alike.
const BETWEEN_WORDS =
  '[\\u0001-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u00A9\\u00AB-\\u00B4\\u00B6-\\u00B9\\u00BB-\\u00BF\\u2000-\\u206F\\u3000-\\u3002\\u30FB]+';
const ACCENTS = '[\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]';

/** In lower case without accents, a single blank between words. Letters that Unicode takes for letters of their own lose their strokes too. */
const plain = (text: string) =>
  `regexp_replace(replace(replace(replace(translate(lower(regexp_replace(normalize(${text}, NFD), '${ACCENTS}', '', 'g')),
    'łøđħŧıς', 'lodhtiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), '${BETWEEN_WORDS}', ' ', 'g')`;

// Each word is looked for with the blank before it, as it stands: no sign in it means anything. OFFSET 0: each name is
// made plain once, however many words are looked for.
const BY_NAME = `
  WITH openings AS MATERIALIZED (
    SELECT DISTINCT ' ' || word AS opening FROM unnest(string_to_array(${plain('$1::text')}, ' ')) AS word WHERE word <> '')
  SELECT id, name, email
  FROM (SELECT id, name, email, ' ' || ${plain('name')} AS plain FROM members WHERE status <> 'former' OFFSET 0) AS member
  WHERE NOT EXISTS (SELECT FROM openings WHERE strpos(plain, opening) = 0)
    AND EXISTS (SELECT FROM openings)
  LIMIT $2::int`;
