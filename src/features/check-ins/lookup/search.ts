import type { Ctx } from '../../../context.ts';
import { plain } from '../names.ts';
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
