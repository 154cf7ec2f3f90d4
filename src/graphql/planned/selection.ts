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
import type { Variables } from '../variables.ts';

/** A selected field with its arguments and what is selected below it. */
export interface SelectedField {
  /** The key in the response: the alias, or the name. */
  key: string;
  name: string;
  /** Undefined for `__typename`, and for `__schema` and `__type` of the query. */
  definition: GraphQLField<unknown, unknown> | undefined;
  /** The same field can be selected several times, with different fields below it. */
  nodes: readonly [FieldNode, ...FieldNode[]];
  /** Null for a scalar or an enum, and for an interface or a union, whose fields depend on the data. */
  selection: Selection | null;
}

/** The fields selected on an object type, in the order of the response. */
export interface Selection {
  type: GraphQLObjectType;
  fields: SelectedField[];
}

/** Collects what an operation selects, with fragments and directives applied. */
export function collectSelection(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  root: GraphQLObjectType,
  variables: Variables,
): Selection {
  const fragments = Object.fromEntries(
    document.definitions.flatMap((definition): [string, FragmentDefinitionNode][] =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );

  const toSelection = (type: GraphQLObjectType, fields: Map<string, FieldNode[]>): Selection => ({
    type,
    fields: [...fields].flatMap(([key, [node, ...others]]): SelectedField[] => {
      if (node === undefined) return [];
      const name = node.name.value;
      const definition = type.getFields()[name];
      const nodes = [node, ...others] as const;
      const selection = definition ? toSubSelection(definition, [...nodes]) : null;
      return [{ key, name, definition, nodes, selection }];
    }),
  });

  function toSubSelection(
    definition: GraphQLField<unknown, unknown>,
    nodes: FieldNode[],
  ): Selection | null {
    const type = getNamedType(definition.type);
    if (!isObjectType(type)) return null;
    return toSelection(type, collectSubFields(schema, fragments, variables, type, nodes).fields);
  }

  const { fields } = collectFields(schema, fragments, variables, root, operation.selectionSet);
  return toSelection(root, fields);
}

/** Returns the arguments of a field, with the variables of a request. */
export const getArguments = ({ definition, nodes: [node] }: SelectedField, variables: Variables) =>
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
