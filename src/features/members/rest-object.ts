import { z } from 'zod';
import { showRestFields } from '../../rest/row-fields.ts';
import { memberRow } from './rows.ts';

export const fields = showRestFields(memberRow);

export const memberSchema = z
  .object({
    ...fields.shape,
    code: z.string().nullable().meta({
      description:
        "The content of the member's QR code. null without members:write and check-ins:write.",
    }),
  })
  .meta({ id: 'Member', description: 'A person of the space' });
