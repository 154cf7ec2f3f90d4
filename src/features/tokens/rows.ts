import { z } from 'zod';
import { singleLine, uuid } from '../../core/validation.ts';
import type { ApiToken } from '../../db/generated/client.ts';
import { createdAt, type RowDescription, rowId } from '../../rows/row.ts';

export const apiTokenRow = {
  table: 'api_tokens',
  columns: {
    id: rowId('Identifies the token when you rotate or revoke it; it is not the secret'),
    name: {
      schema: singleLine(200),
      description: 'What uses the token, such as "Website"',
      create: 'required',
      erasure: 'content',
    },
    prefix: {
      schema: z.string(),
      description: 'The first characters of the secret, to recognize the token',
      journal: false,
      erasure: 'technical',
    },
    hash: { hidden: 'A secret' },
    scopes: {
      schema: z.array(z.string()).max(100),
      description:
        'What the token is allowed to do, such as bookings:read; * stands for everything. At most the scopes of the person who creates it.',
      create: 'required',
      erasure: 'technical',
    },
    createdById: {
      hidden: 'Shown as createdBy',
      schema: uuid.nullable(),
      description: 'The account of staff that created it',
      whenNull: 'null if no account of staff did',
      journal: true,
    },
    createdAt: createdAt('When the token was created'),
    expiresAt: {
      schema: z.date().nullable(),
      description: 'When the token stops working',
      whenNull: 'null if it does not expire',
      create: 'optional',
    },
    revokedAt: {
      schema: z.date().nullable(),
      description: 'When the token was revoked',
      whenNull: 'null if it was not',
    },
    lastUsedAt: {
      schema: z.date().nullable(),
      description: 'When the token was last used, accurate to a minute',
      whenNull: 'null if it never was',
      journal: false,
    },
    replacedById: {
      schema: uuid.nullable(),
      description: 'After a rotation, the id of the token that replaced it',
    },
  },
} as const satisfies RowDescription<ApiToken>;
