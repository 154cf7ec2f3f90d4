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
  /** Whether the document has succeeded once, so that compiling it is worthwhile. */
  hasSucceeded: boolean;
  compiled: Map<string, CompiledQuery | null>;
}

/**
 * Compiles a document after its first success: repeated documents run several times faster, while documents that are sent
 * once or rejected cost no compilation. Yoga's document cache returns the same object for the same text and bounds the
 * number of documents.
 */
export function createJitPlugin(schema: GraphQLSchema): Plugin {
  const documents = new WeakMap<DocumentNode, DocumentState>();

  const findCompiledQuery = (document: DocumentNode, operation: string): CompiledQuery | null => {
    const state = documents.get(document);
    if (state === undefined || !state.hasSucceeded) return null;
    if (!getOperationAST(document, operation || undefined)) return null; // callers can send any name
    const cached = state.compiled.get(operation);
    if (cached !== undefined) return cached;
    const result = compileQuery(schema, document, operation || undefined);
    const query = isCompiledQuery(result) ? result : null;
    state.compiled.set(operation, query);
    return query;
  };

  return {
    onExecute: ({ args, setExecuteFn }) => {
      const { document, operationName, variableValues } = args;
      const query = findCompiledQuery(document, operationName ?? '');
      // graphql-js rejects invalid variables, so that the message is the same as on the first execution.
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

/** Returns the defaults of omitted variables, which a compiled query does not apply itself. */
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
