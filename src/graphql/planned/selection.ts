import { collectFields, collectSubFields } from '@graphql-tools/utils';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';

/** A selected field with its arguments and what is selected below it. */
export interface SelectedField {
  /** The key in the response: the alias, or the name. */
  key: string;
  name: string;
  /** Undefined for `__typename`. */
  definition: GraphQLField<unknown, unknown> | undefined;
  node: FieldNode;
  /** Null for a scalar or an enum. */
  selection: Selection | null;
}

/** The fields selected on an object type, in the order of the response. */
export interface Selection {
  type: GraphQLObjectType;
  fields: SelectedField[];
}

/** Variables of the request, coerced. */
export type Variables = Record<string, unknown>;

/**
 * Collects what an operation selects, with fragments and directives applied. Returns null if it selects an interface or a
 * union, whose fields depend on the data.
 */
export function collectSelection(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  root: GraphQLObjectType,
  variables: Variables,
): Selection | null {
  const fragments = Object.fromEntries(
    document.definitions.flatMap((definition): [string, FragmentDefinitionNode][] =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );

  function toSelection(
    type: GraphQLObjectType,
    fields: Map<string, FieldNode[]>,
  ): Selection | null {
    const selected: SelectedField[] = [];
    for (const [key, nodes] of fields) {
      const [node] = nodes;
      if (node === undefined) continue;
      const name = node.name.value;
      const definition = type.getFields()[name];
      if (definition === undefined) {
        if (name !== '__typename') return null;
        selected.push({ key, name, definition, node, selection: null });
        continue;
      }
      const selection = toSubSelection(definition, nodes);
      if (selection === undefined) return null;
      selected.push({ key, name, definition, node, selection });
    }
    return { type, fields: selected };
  }

  /** Returns null for a leaf, and undefined for what cannot be planned. */
  function toSubSelection(
    definition: GraphQLField<unknown, unknown>,
    nodes: FieldNode[],
  ): Selection | null | undefined {
    if (nodes[0]?.selectionSet === undefined) return null;
    const type = getNamedType(definition.type);
    if (!isObjectType(type)) return undefined;
    const { fields } = collectSubFields(schema, fragments, variables, type, nodes);
    return toSelection(type, fields) ?? undefined;
  }

  const { fields } = collectFields(schema, fragments, variables, root, operation.selectionSet);
  return toSelection(root, fields);
}

/** Returns the arguments of a field, with the variables of a request. */
export const getArguments = ({ definition, node }: SelectedField, variables: Variables) =>
  definition === undefined ? {} : getArgumentValues(definition, node, variables);

/** Returns the variables that decide which fields are selected. */
export function findDirectiveVariables(document: DocumentNode): string[] {
  const names = new Set<string>();
  const visitNode = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) visitNode(item);
      return;
    }
    if (typeof value !== 'object' || value === null || !('kind' in value)) return;
    const { kind, arguments: args } = value as { kind: string; arguments?: unknown[] };
    if (kind === Kind.DIRECTIVE) {
      for (const argument of args ?? []) {
        const given = (argument as { value: { kind: string; name?: { value: string } } }).value;
        if (given.kind === Kind.VARIABLE && given.name) names.add(given.name.value);
      }
      return;
    }
    for (const [key, child] of Object.entries(value)) if (key !== 'loc') visitNode(child);
  };
  visitNode(document.definitions);
  return [...names].sort();
}
