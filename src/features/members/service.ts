import type { Ctx } from '../../context.ts';
import type { Member, MemberStatus } from '../../db/generated/client.ts';
import { refuseTaken } from '../../db/refusals.ts';
import { afterName, byName, type Page, type PageRequest, pageByName } from '../../page.ts';
import { memberCode } from './code.ts';

export type { Member, MemberStatus };

export interface MemberFilter {
  /** Part of the name or of the e-mail address. */
  q?: string | undefined;
  status?: MemberStatus | undefined;
}

/** By name. */
export async function list(
  { db }: Ctx,
  { q, status }: MemberFilter,
  page: PageRequest,
): Promise<Page<Member>> {
  // Prisma lets the wildcards of LIKE through.
  const words = q?.trim().replace(/[\\%_]/g, '\\$&');
  const contains = words ? { contains: words, mode: 'insensitive' as const } : undefined;
  const rows = await db.member.findMany({
    where: {
      AND: [
        afterName(page),
        status ? { status } : {},
        contains ? { OR: [{ name: contains }, { email: contains }] } : {},
      ],
    },
    orderBy: byName,
    take: page.limit + 1,
  });
  return pageByName(rows, page.limit);
}

/** Throws CONFLICT when the e-mail address belongs to a member already. */
export function create(
  { db }: Ctx,
  input: { name: string; email: string; phone?: string | undefined; company?: string | undefined },
): Promise<Member> {
  const { name, phone = null, company = null } = input;
  const email = input.email.toLowerCase();
  return refuseTaken(`The e-mail address ${email}`, () =>
    db.member.create({ data: { name, email, phone, company, code: memberCode() } }),
  );
}

export const membersById = ({ db }: Ctx, ids: string[]): Promise<Member[]> =>
  db.member.findMany({ where: { id: { in: ids } } });
