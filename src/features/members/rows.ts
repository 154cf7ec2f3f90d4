import { z } from 'zod';
import { emailAddress, personName, singleLine, uuid } from '../../core/validation.ts';
import type { Member, MemberStatus } from '../../db/generated/client.ts';
import { describeBillingColumns } from '../../rows/billing-columns.ts';
import { createdAt, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';

export const MEMBER_STATUSES = [
  'active',
  'paused',
  'former',
] as const satisfies readonly MemberStatus[];

export const memberRow = {
  table: 'members',
  columns: {
    id: rowId('Identifies the member in both APIs'),
    name: {
      schema: personName,
      description: 'The full name',
      create: 'required',
      update: true,
      erasure: 'name',
    },
    email: {
      schema: emailAddress,
      description: 'The address by which the member signs in and gets emails',
      access: 'members:read',
      create: 'required',
      update: true,
      erasure: 'address',
    },
    emailConfirmedAt: {
      hidden: 'Shown as emailConfirmed',
      schema: z.date().nullable(),
      journal: true,
    },
    phone: {
      schema: singleLine(50).nullable(),
      description: 'The phone number, in any format',
      whenNull: 'null if it is unknown',
      access: 'members:read',
      create: 'optional',
      update: true,
      erasure: 'clear',
    },
    company: {
      schema: singleLine(200).nullable(),
      description: 'The company or organization',
      whenNull: 'null if there is none',
      access: 'members:read',
      create: 'optional',
      update: true,
      erasure: 'clear',
    },
    ...describeBillingColumns('clear'),
    status: {
      schema: z.enum(MEMBER_STATUSES),
      description: 'Whether the member can book and check in. Former members are signed out.',
      access: 'members:read',
      update: true,
    },
    code: { hidden: 'Shown only to those who can read admission codes', erasure: 'code' },
    teamId: {
      hidden: 'Shown as team',
      schema: uuid.nullable(),
      description: 'The team that the member belongs to',
      create: 'optional',
      update: true,
      journal: true,
    },
    createdAt: createdAt('When the record was created', 'members:read'),
    updatedAt: updatedAt('members:read'),
  },
  computed: {
    emailConfirmed: {
      schema: z.boolean(),
      description:
        'Whether the member can sign in with this address. Members created by a token confirm it first.',
      access: 'members:read',
      sql: (row) => `(${row}.email_confirmed_at IS NOT NULL)`,
      toValue: ({ emailConfirmedAt }) => emailConfirmedAt !== null,
    },
  },
} as const satisfies RowDescription<Member>;
