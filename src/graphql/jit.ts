import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  valueFromASTUntyped,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';

interface DocumentState {
  /** It went well once, so it is worth compiling. */
  hasSucceeded: boolean;
  compiled: Map<string, CompiledQuery | null>;
}

/**
 * Compiles a document once it has been answered without an error: what clients send again and again runs several
 * times faster, and what is sent once or refused costs no compilation. Documents are told apart by Yoga's own cache,
 * so they are as many as it keeps.
 */
export function createJitPlugin(schema: GraphQLSchema): Plugin {
  const documents = new WeakMap<DocumentNode, DocumentState>();

  const find = (document: DocumentNode, operation: string): CompiledQuery | null => {
    const known = documents.get(document);
    if (known === undefined || !known.hasSucceeded) return null;
    if (!getOperationAST(document, operation || undefined)) return null; // callers may name any
    const found = known.compiled.get(operation);
    if (found !== undefined) return found;
    const query = compileQuery(schema, document, operation || undefined);
    const usable = isCompiledQuery(query) ? query : null;
    known.compiled.set(operation, usable);
    return usable;
  };

  return {
    onExecute: ({ args, setExecuteFn }) => {
      const { document, operationName, variableValues } = args;
      const query = find(document, operationName ?? '');
      // Variables that do not fit are for GraphQL itself to refuse, in the same words as the first time.
      if (query !== null && hasValidVariables(schema, document, operationName, variableValues)) {
        setExecuteFn(({ rootValue, contextValue, variableValues }) =>
          query.query(rootValue, contextValue, {
            ...getVariableDefaults(document, operationName),
            ...variableValues,
          }),
        );
        return;
      }
      if (documents.get(document)?.hasSucceeded) return;
      return {
        onExecuteDone: ({ result }) => {
          if (!('errors' in result) || result.errors === undefined) {
            documents.set(document, { hasSucceeded: true, compiled: new Map() });
          }
        },
      };
    },
  };
}

/** What a compiled query does not fill in by itself. */
function getVariableDefaults(
  document: DocumentNode,
  operationName: string | null | undefined,
): Record<string, unknown> {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  return Object.fromEntries(
    definitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}

function hasValidVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  values: Record<string, unknown> | null | undefined,
): boolean {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  if (definitions.length === 0) return true;
  return (
    getVariableValues(schema, definitions, values ?? {}, { maxErrors: 1 }).errors === undefined
  );
}
