import { z } from 'zod';
import { boundedText, singleLine, uuid } from '../../core/validation.ts';
import type { Import, ImportRow } from '../../db/generated/client.ts';
import { ImportKind, ImportOutcome, ImportState } from '../../db/generated/enums.ts';
import { createdAt, type RowDescription, rowId } from '../../rows/row.ts';

const count = (description: string) => ({ schema: z.int(), description, journal: false }) as const;

export const importRow = {
  table: 'imports',
  columns: {
    id: rowId('Identifies the import'),
    kind: { schema: z.enum(ImportKind), description: 'What the file contains' },
    fileName: {
      schema: singleLine(200).nullable(),
      description: 'The name of the file',
      whenNull: 'null if a program sent the text without a name',
      erasure: 'content',
    },
    state: { schema: z.enum(ImportState), description: 'How far it has come' },
    updatesExisting: {
      schema: z.boolean(),
      description: 'Whether it changes what exists already',
    },
    resourceId: {
      hidden: 'Shown as resource',
      schema: uuid.nullable(),
      description: 'The resource of the bookings',
      whenNull: 'null for members and events',
      journal: true,
    },
    importedCount: count('How many entries it added'),
    updatedCount: count('How many entries it changed'),
    unchangedCount: count('How many entries existed already'),
    skippedCount: count('How many entries had a problem'),
    startedById: { hidden: 'Shown as startedBy' },
    createdAt: createdAt('When it was started'),
    finishedAt: {
      schema: z.date().nullable(),
      description: 'When its last part was imported',
      whenNull: 'null if it runs, or was interrupted',
      journal: false,
    },
    undoneAt: {
      schema: z.date().nullable(),
      description: 'When it was undone',
      whenNull: 'null if it was not',
      journal: false,
    },
  },
  computed: {
    resource: {
      schema: z.string().nullable(),
      description: 'The name of the resource whose bookings the file contains',
      whenNull: 'null for members and events',
      sql: (row) => `(SELECT named.name FROM resources named WHERE named.id = ${row}.resource_id)`,
    },
    startedBy: {
      schema: z.string().nullable(),
      description: 'The name of the staff who started it',
      whenNull: 'null if the command line did, or the account was deleted',
      sql: (row) => `(SELECT named.name FROM users named WHERE named.id = ${row}.started_by_id)`,
    },
  },
} as const satisfies RowDescription<Import>;

/** An entry of the file of an import. */
export const importEntryRow = {
  table: 'import_rows',
  columns: {
    id: rowId('Identifies the row'),
    importId: { hidden: 'Known by whoever reads it' },
    line: { schema: z.int(), description: 'The line of the file, from 1' },
    outcome: { schema: z.enum(ImportOutcome), description: 'What happened to the entry' },
    reason: {
      schema: boundedText(2_000).nullable(),
      description: 'Why it was skipped, what was changed, or what was left out',
      whenNull: 'null if there is nothing to say',
      erasure: 'copy',
    },
    subjectId: {
      schema: uuid.nullable(),
      description: 'The member, event or booking',
      whenNull: 'null if there is none',
    },
  },
} as const satisfies RowDescription<ImportRow>;
