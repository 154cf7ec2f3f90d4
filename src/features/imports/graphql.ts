import { builder, createInputType } from '../../graphql/builder.ts';
import { getOrderEnum, listField, selectById } from '../../graphql/list-fields.ts';
import { addMutation } from '../../graphql/mutation.ts';
import { Node } from '../../graphql/node.ts';
import { withCost } from '../../graphql/query-cost.ts';
import { showFields } from '../../graphql/row-fields.ts';
import {
  addImportFilePartInput,
  importFilter,
  importIdInput,
  importRowFilter,
  startImportInput,
  undoImportInput,
} from './inputs.ts';
import { importEntryRow, importRow } from './rows.ts';
import { addImportFilePart } from './service/file-parts.ts';
import {
  finishImport,
  getImport,
  importedEntryList,
  importList,
  startImport,
} from './service/imports.ts';
import { undoImport } from './service/undo-import.ts';
import {
  type ImportedEntry,
  type Import as ImportValue,
  toImportedEntryProjection,
  toImportProjection,
  type UndoNote,
  type UndoReport,
} from './types.ts';

const MANAGE = { access: 'staff:manage' } as const;

builder.enumType('ImportKind', {
  description: 'What an imported file contains',
  values: {
    MEMBERS: { value: 'members', description: 'Members, from a list' },
    EVENTS: { value: 'events', description: 'Events, from a calendar' },
    BOOKINGS: { value: 'bookings', description: 'Bookings of one resource, from a calendar' },
  } as const,
});

builder.enumType('ImportState', {
  description: 'How far an import has come',
  values: {
    RUNNING: {
      value: 'running',
      description: 'Parts of the file are still being sent, or the import was interrupted',
    },
    FINISHED: { value: 'finished', description: 'The whole file was imported' },
    UNDONE: { value: 'undone', description: 'What it added was removed again' },
  } as const,
});

export const ImportOutcome = builder.enumType('ImportOutcome', {
  description: 'What an import does with a line',
  values: {
    IMPORTED: { value: 'imported', description: 'Adds it' },
    UPDATED: { value: 'updated', description: 'Changes what exists already' },
    UNCHANGED: { value: 'unchanged', description: 'It exists already, and stays as it is' },
    SKIPPED: { value: 'skipped', description: 'It has a problem, and is left out' },
  } as const,
});

const Import = builder.objectRef<ImportValue>('Import');
Import.implement({
  description: 'A file that was imported',
  extensions: { projection: toImportProjection },
  interfaces: [Node],
  fields: (t) => showFields(t, importRow),
});

const ImportRow = builder.objectRef<ImportedEntry>('ImportRow');
ImportRow.implement({
  description: 'What an import did with one entry of its file. The entry itself is not stored.',
  extensions: { projection: toImportedEntryProjection },
  interfaces: [Node],
  fields: (t) => showFields(t, importEntryRow),
});

const ImportFilter = createInputType('ImportFilter', importFilter);
const ImportOrder = getOrderEnum('Import', importList);

builder.queryField('imports', (t) =>
  t.connection({
    type: Import,
    description: 'Imports, newest first',
    authScopes: MANAGE,
    args: {
      filter: t.arg({ type: ImportFilter, description: 'Which imports to list' }),
      orderBy: t.arg({ type: ImportOrder, description: 'Default: CREATED_AT_DESC' }),
    },
    ...listField(importList),
  }),
);

builder.queryField('importById', (t) =>
  t.field({
    type: Import,
    description: 'Gets an import',
    authScopes: MANAGE,
    args: { id: t.arg.id({ description: 'The id of the import', required: true }) },
    extensions: { row: selectById(importList) },
    resolve: (_, { id }, { ctx }) => getImport(ctx, id),
  }),
);

const ImportRowFilter = createInputType('ImportRowFilter', importRowFilter);
const ImportRowOrder = getOrderEnum('ImportRow', importedEntryList);

builder.queryField('importRows', (t) =>
  t.connection({
    type: ImportRow,
    description: 'What imports did with the entries of their files, by line',
    authScopes: MANAGE,
    args: {
      filter: t.arg({ type: ImportRowFilter, description: 'Which rows to list' }),
      orderBy: t.arg({ type: ImportRowOrder, description: 'Default: LINE_ASC' }),
    },
    ...listField(importedEntryList),
  }),
);

addMutation('startImport', {
  description:
    'Starts the import of a file that is sent in parts, such as with importMembers. It changes nothing else.',
  access: 'staff:manage',
  input: startImportInput,
  payload: { import: { type: Import, description: 'The import, to which the parts belong' } },
  resolve: async (input, { ctx }) => ({
    import: await getImport(ctx, await startImport(ctx, input)),
  }),
});

addMutation('finishImport', {
  description: 'Says that all parts of a file were imported',
  access: 'staff:manage',
  input: importIdInput,
  payload: { import: { type: Import, description: 'The finished import' } },
  resolve: async ({ id }, { ctx }) => ({ import: await finishImport(ctx, id) }),
});

addMutation('addImportFilePart', {
  description:
    'Stores a part of a calendar that is larger than a request, for importEvents or importBookings by the same person. It is deleted once the calendar is imported, or after a day.',
  access: 'staff:manage',
  input: addImportFilePartInput,
  ...withCost({ points: 20 }),
  payload: { fileId: { type: 'ID', description: 'The file that the part belongs to' } },
  resolve: async (input, { ctx }) => ({ fileId: await addImportFilePart(ctx, input) }),
});

const ImportUndoNote = builder.objectRef<UndoNote>('ImportUndoNote').implement({
  description: 'Something about one line of an import that is undone',
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'The line of the file, from 1' }),
    reason: t.exposeString('reason', { description: 'What is the case' }),
  }),
});

const MAX_SHOWN_NOTES = 100;

const ImportUndo = builder.objectRef<UndoReport>('ImportUndo').implement({
  description: 'What undoing an import did, or would do',
  fields: (t) => ({
    removed: t.exposeInt('removed', {
      description: 'How many members, events or bookings are removed. Bookings are cancelled.',
    }),
    restored: t.exposeInt('restored', {
      description: 'How many get their earlier fields back',
    }),
    noteCount: t.int({
      description: 'How many notes there are',
      resolve: ({ notes }) => notes.length,
    }),
    notes: t.field({
      type: [ImportUndoNote],
      description: `What stays as it is, such as fields that were changed since the import. At most ${MAX_SHOWN_NOTES}.`,
      resolve: ({ notes }) => notes.slice(0, MAX_SHOWN_NOTES),
    }),
    problemCount: t.int({
      description: 'How many things depend on the import. It can only be undone if there are none.',
      resolve: ({ problems }) => problems.length,
    }),
    problems: t.field({
      type: [ImportUndoNote],
      description: `What depends on the import, by line. At most ${MAX_SHOWN_NOTES}.`,
      resolve: ({ problems }) => problems.slice(0, MAX_SHOWN_NOTES),
    }),
  }),
});

addMutation('undoImport', {
  description:
    'Removes everything that an import added, and gives back the fields that it changed. Rejected if anything depends on what it added, such as a booking of a member. Bookings are cancelled, without emails.',
  access: 'staff:manage',
  input: undoImportInput,
  ...withCost({ points: 80 }),
  payload: {
    import: { type: Import, description: 'The import' },
    report: { type: ImportUndo, description: 'What happened, or would happen' },
  },
  resolve: (input, { ctx }) => undoImport(ctx, input),
});
