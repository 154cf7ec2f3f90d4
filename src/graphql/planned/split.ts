import {
  type DocumentNode,
  type FieldNode,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { SelectedField, Selection } from './selection.ts';

/** A selection in two parts. Objects that contain fields of both parts are in both. */
export interface SplitSelection {
  planned: Selection;
  /** What resolvers must answer. */
  resolved: FieldNode[];
}

/** Splits a selection. `resolvedPaths` are the fields that resolvers must answer, as `findResolvedPath` returns them. */
export function splitSelection(
  { type, fields }: Selection,
  resolvedPaths: ReadonlySet<string>,
  parentPath = '',
): SplitSelection {
  const planned: SelectedField[] = [];
  const resolved: FieldNode[] = [];
  for (const field of fields) {
    const path = parentPath + field.key;
    if (resolvedPaths.has(path)) {
      resolved.push(...field.nodes);
      continue;
    }
    const below =
      field.selection &&
      !isList(field) &&
      splitSelection(field.selection, resolvedPaths, `${path}.`);
    if (!below || below.resolved.length === 0) planned.push(field);
    else if (!leadsToRows(below.planned)) resolved.push(...field.nodes);
    else {
      planned.push({ ...field, selection: below.planned });
      resolved.push({
        ...field.nodes[0],
        selectionSet: { kind: Kind.SELECTION_SET, selections: below.resolved },
      });
    }
  }
  return { planned: { type, fields: planned }, resolved };
}

/**
 * Returns the path of the field that resolvers must answer because one below it cannot be planned. Lists are not split, since
 * two reads can find different items.
 */
export function findResolvedPath({ fields }: Selection, path: readonly string[]): string {
  const [key, ...below] = path;
  const field = fields.find((field) => field.key === key);
  if (!field?.selection || isList(field) || below.length === 0) return `${key}`;
  return `${key}.${findResolvedPath(field.selection, below)}`;
}

function isList({ definition }: SelectedField): boolean {
  if (definition === undefined) return false;
  const { type, extensions } = definition;
  return extensions.list !== undefined || isListType(isNonNullType(type) ? type.ofType : type);
}

/** Whether resolvers would need statements for the fields. Otherwise, resolvers answer the whole object with one. */
export const leadsToRows = ({ fields }: Selection): boolean =>
  fields.some(
    ({ definition, selection }) =>
      definition?.extensions.list !== undefined ||
      definition?.extensions.row !== undefined ||
      (selection !== null && leadsToRows(selection)),
  );

/** Returns the document with only these fields in its operation. */
export const selectFields = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  selections: FieldNode[],
): DocumentNode => ({
  ...document,
  definitions: document.definitions.map((definition) =>
    definition === operation
      ? { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections } }
      : definition,
  ),
});

/** The value of an object in a response. */
export type ObjectValue = Record<string, unknown> | null | undefined;

/** Merges the values of both parts, in the order of the selection. */
export function mergeParts(
  { fields }: Selection,
  planned: ObjectValue,
  resolved: ObjectValue,
): ObjectValue {
  if (!planned || !resolved) return null; // an error, or the row was deleted between the two reads
  return Object.fromEntries(
    fields.map(({ key, selection }) => {
      if (!Object.hasOwn(planned, key)) return [key, resolved[key]];
      if (!Object.hasOwn(resolved, key) || selection === null) return [key, planned[key]];
      return [
        key,
        mergeParts(selection, planned[key] as ObjectValue, resolved[key] as ObjectValue),
      ];
    }),
  );
}
