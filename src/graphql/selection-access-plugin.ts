import { collectFields, collectSubFields } from '@graphql-tools/utils';
import {
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
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
import { requireAccess } from '../auth/viewer.ts';
import { DomainError, missingScopes } from '../errors.ts';
import type { GraphqlContext } from './context.ts';
import { getFieldAccess } from './field-access.ts';
import { coerceVariables } from './variables.ts';

/**
 * Rejects a mutation before it runs if the caller may not read a field that it selects. Otherwise it would change data, and the caller
 * would get an error without its result. Fields that members can read of their own rows only are left to their resolvers: they are
 * null or part of an object that the member can read.
 *
 * If a document needs several scopes that the caller lacks, each error about a missing scope names all of them.
 */
export const createSelectionAccessPlugin = (schema: GraphQLSchema): Plugin => ({
  onExecute: ({ args, setResultAndStopExecution }) => {
    const operation = getOperationAST(args.document, args.operationName);
    if (!operation) return;
    if (operation.operation === 'mutation') {
      const errors = findAccessErrors(schema, args, operation);
      if (errors.length > 0) {
        setResultAndStopExecution({
          data: null,
          errors: nameAllScopes(errors.slice(0, 1), errors),
        });
        return;
      }
    }
    return {
      onExecuteDone: ({ result, setResult }) => {
        if (!('errors' in result) || !result.errors?.some(isMissingScope)) return;
        const found = findAccessErrors(schema, args, operation);
        setResult({ ...result, errors: nameAllScopes(result.errors, found) });
      },
    };
  },
});

/** Has each error about a missing scope name all that are missing. `found` are the errors of the whole operation. */
function nameAllScopes(errors: readonly GraphQLError[], found: GraphQLError[]): GraphQLError[] {
  const scopes = [
    ...new Set([...errors, ...found].flatMap((error) => getMissingScope(error) ?? [])),
  ];
  return errors.map((error) => {
    const scope = getMissingScope(error);
    if (scope === null || scopes.length === 1) return error;
    return locatedError(missingScopes(scope, scopes), error.nodes, error.path);
  });
}

const isMissingScope = (error: GraphQLError) => getMissingScope(error) !== null;

function getMissingScope({ originalError }: GraphQLError): string | null {
  if (!(originalError instanceof DomainError)) return null;
  const { reason, scope } = originalError.details;
  return reason === 'MISSING_SCOPE' && typeof scope === 'string' ? scope : null;
}

type Fields = Map<string, FieldNode[]>;

/** Finds the fields of an operation that the viewer cannot read, as errors. */
function findAccessErrors(
  schema: GraphQLSchema,
  { document, variableValues, contextValue }: ExecutionArgs,
  operation: OperationDefinitionNode,
): GraphQLError[] {
  const errors: GraphQLError[] = [];
  const { viewer } = (contextValue as GraphqlContext).ctx;
  const { coerced: variables = {} } = coerceVariables(schema, operation, variableValues);
  const fragments = Object.fromEntries(
    document.definitions.flatMap((definition): [string, FragmentDefinitionNode][] =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );

  function checkFields(type: GraphQLObjectType, fields: Fields, parentPath: string[]): void {
    for (const [key, nodes] of fields) {
      const definition = type.getFields()[nodes[0]?.name.value ?? ''];
      if (definition === undefined) continue; // __typename
      const path = [...parentPath, key];
      const declared = getFieldAccess(definition);
      if (declared && !(declared.dependsOnRow && viewer.kind === 'member')) {
        try {
          requireAccess(viewer, declared.access);
        } catch (error) {
          errors.push(locatedError(error, nodes, path));
        }
      }
      for (const object of findObjectTypes(definition.type))
        checkFields(
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
  if (!root) return [];
  const { fields } = collectFields(schema, fragments, variables, root, operation.selectionSet);
  checkFields(root, fields, []);
  return errors;
}
