import { z } from 'zod';
import { anyId, creationFilter, singleLine, uuid } from '../../core/validation.ts';
import { ImportKind, ImportOutcome } from '../../db/generated/enums.ts';

const id = anyId.meta({ description: 'The id of the import' });

export const importFilter = creationFilter
  .extend({
    kind: z.enum(ImportKind).optional().meta({ description: 'Only imports of such files' }),
  })
  .meta({ description: 'Limits a list of imports; all conditions apply together' });

export const importRowFilter = z
  .object({
    importId: uuid.optional().meta({ description: 'Only rows of this import' }),
    outcome: z.enum(ImportOutcome).optional().meta({ description: 'Only rows with this outcome' }),
  })
  .meta({ description: 'Limits a list of rows of imports; all conditions apply together' });

export const startImportInput = z.object({
  kind: z.enum(ImportKind).meta({ description: 'What the file contains' }),
  fileName: singleLine(200).optional().meta({ description: 'The name of the file, for people' }),
  updatesExisting: z.boolean().optional().meta({
    description: 'Whether its parts change what exists already, as they say. Default: false',
  }),
});

export const importIdInput = z.object({ id });

// A request has at most 200 kB. In base64, 90,000 bytes have 120,000 characters.
const MAX_PART_CHARACTERS = 120_000;
/** Parts for 16 MB, which a calendar has at most. */
const MAX_PARTS = 187;

export const addImportFilePartInput = z
  .object({
    fileId: uuid.optional().meta({
      description:
        'The file that the part belongs to, as returned for the first part. Default: a new file',
    }),
    position: z
      .int()
      .min(0)
      .max(MAX_PARTS - 1)
      .meta({ description: 'The position of the part in the file, from 0' }),
    content: z.base64().min(4).max(MAX_PART_CHARACTERS).meta({
      description: 'The bytes of the part in base64, at most 120,000 characters',
    }),
  })
  .refine(({ fileId, position }) => fileId !== undefined || position === 0, {
    path: ['fileId'],
    error: 'is needed for every part but the first',
  });

export const undoImportInput = z.object({
  id,
  dryRun: z.boolean().optional().meta({
    description: 'Report what would happen, and change nothing. Default: false',
  }),
});
