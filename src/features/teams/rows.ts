import { singleLine } from '../../core/validation.ts';
import type { Team } from '../../db/generated/client.ts';
import { describeBillingColumns } from '../../rows/billing-columns.ts';
import { createdAt, type RowDescription, rowId, updatedAt } from '../../rows/row.ts';

export const teamRow = {
  table: 'teams',
  columns: {
    id: rowId('Identifies the team in both APIs'),
    name: {
      schema: singleLine(200),
      description: 'The name of the team, such as that of a company',
      create: 'required',
      update: true,
      erasure: 'content',
    },
    ...describeBillingColumns('content'),
    createdAt: createdAt('When the team was created'),
    updatedAt: updatedAt(),
  },
} as const satisfies RowDescription<Team>;
