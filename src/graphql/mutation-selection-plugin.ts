import { collectFields, collectSubFields } from '@graphql-tools/utils';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isAbstractType,
  isObjectType,
  Kind,
  locatedError,
  type OperationDefinitionNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { requireAccess, type Viewer } from '../auth/viewer.ts';
import type { GraphqlContext } from './context.ts';
import { getFieldAccess } from './field-access.ts';
import { coerceVariables, type Variables } from './variables.ts';

/**
 * Rejects a mutation before it runs if the caller may not read a field that it selects. Otherwise it would change data, and the caller
 * would get an error without its result. Fields that members can read of their own rows only are left to their resolvers: they are
 * null or part of an object that the member can read.
 */
export const createMutationSelectionPlugin = (schema: GraphQLSchema): Plugin => ({
  onExecute: ({ args, setResultAndStopExecution }) => {
    const { document, operationName, variableValues, contextValue } = args;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== 'mutation') return;
    const { viewer } = (contextValue as unknown as GraphqlContext).ctx;
    const { coerced = {} } = coerceVariables(schema, operation, variableValues);
    const error = findForbiddenField(schema, viewer, { document, operation, variables: coerced });
    if (error) setResultAndStopExecution({ data: null, errors: [error] });
  },
});

interface SelectedOperation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Variables;
}

type Fields = Map<string, FieldNode[]>;

/** Finds the first field of an operation that the viewer cannot read, as its error. */
function findForbiddenField(
  schema: GraphQLSchema,
  viewer: Viewer,
  { document, operation, variables }: SelectedOperation,
): GraphQLError | null {
  const fragments = Object.fromEntries(
    document.definitions.flatMap((definition): [string, FragmentDefinitionNode][] =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );

  function assertReadable(type: GraphQLObjectType, fields: Fields, parentPath: string[]): void {
    for (const [key, nodes] of fields) {
      const definition = type.getFields()[nodes[0]?.name.value ?? ''];
      if (definition === undefined) continue; // __typename
      const path = [...parentPath, key];
      const declared = getFieldAccess(definition);
      if (declared && !(declared.dependsOnRow && viewer.kind === 'member')) {
        try {
          requireAccess(viewer, declared.access);
        } catch (error) {
          throw locatedError(error, nodes, path);
        }
      }
      for (const object of findObjectTypes(definition.type))
        assertReadable(
          object,
          collectSubFields(schema, fragments, variables, object, nodes).fields,
          path,
        );
    }
  }

  const findObjectTypes = (fieldType: unknown): readonly GraphQLObjectType[] => {
    const type = getNamedType(fieldType as never);
    if (isAbstractType(type)) return schema.getPossibleTypes(type);
    return isObjectType(type) ? [type] : [];
  };

  const root = schema.getRootType(operation.operation);
  if (!root) return null;
  try {
    const { fields } = collectFields(schema, fragments, variables, root, operation.selectionSet);
    assertReadable(root, fields, []);
    return null;
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}
