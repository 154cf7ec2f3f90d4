import { z } from 'zod';
import type { MemberStatus } from '../../db/generated/client.ts';
import { isPersonName } from '../../validation.ts';
import type { Cells } from './columns.ts';
import type { Row } from './table.ts';

export interface Person {
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  status: MemberStatus;
}

const STATUSES: Record<string, MemberStatus> = {
  '': 'active',
  active: 'active',
  aktiv: 'active',
  current: 'active',
  paused: 'paused',
  'on hold': 'paused',
  suspended: 'paused',
  pausiert: 'paused',
  former: 'former',
  inactive: 'former',
  inaktiv: 'former',
  cancelled: 'former',
  canceled: 'former',
  left: 'former',
  ehemalig: 'former',
};

const line = (what: string, longest: number) =>
  z
    .string()
    .transform((text) => text.replace(/\s+/g, ' ').trim())
    .pipe(z.string().max(longest, `The ${what} is longer than ${longest} characters.`));

const schema = z.object({
  name: line('name', 100)
    .pipe(z.string().min(1, 'It has no name.'))
    .pipe(z.string().refine(isPersonName, 'The name holds a web or e-mail address.')),
  email: z
    .string()
    .min(1, 'It has no e-mail address.')
    .transform((text) => text.replace(/^mailto:/i, '').toLowerCase())
    .pipe(z.email('The e-mail address is not one.').max(254, 'The e-mail address is too long.')),
  phone: line('phone number', 50),
  company: line('company', 200),
  status: z
    .string()
    .transform((text) => STATUSES[text.toLowerCase()])
    .refine((status) => status !== undefined, 'The status is none of active, paused and former.'),
});

/** Who a row describes, or the reason why it cannot be imported. */
export function personIn(row: Row, cell: Cells): Person | { reason: string } {
  const parsed = schema.safeParse({
    name: nameIn(row, cell),
    email: cell(row, 'email'),
    phone: cell(row, 'phone'),
    company: cell(row, 'company'),
    status: cell(row, 'status'),
  });
  if (!parsed.success)
    return { reason: parsed.error.issues.map(({ message }) => message).join(' ') };
  const { name, email, phone, company, status } = parsed.data;
  return {
    name,
    email,
    phone: phone || null,
    company: company || null,
    status: status ?? 'active',
  };
}

export const nameIn = (row: Row, cell: Cells): string =>
  cell(row, 'name') || `${cell(row, 'firstName')} ${cell(row, 'lastName')}`.trim();
