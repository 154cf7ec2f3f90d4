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

export const undoImportInput = z.object({
  id,
  dryRun: z.boolean().optional().meta({
    description: 'Report what would happen, and change nothing. Default: false',
  }),
});
