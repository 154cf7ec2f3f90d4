import {
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
  getOperationAST,
  valueFromASTUntyped,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import { coerceVariables } from './variables.ts';

type Execution = Pick<
  ExecutionArgs,
  'document' | 'operationName' | 'rootValue' | 'contextValue' | 'variableValues'
>;

/** Executes documents that are worth compiling, because they have succeeded once. */
export function createJit(schema: GraphQLSchema) {
  /** The compiled operations by name. Null if compiling failed. */
  const documents = new WeakMap<DocumentNode, Map<string, CompiledQuery | null>>();

  const findCompiledQuery = (document: DocumentNode, operation: string): CompiledQuery | null => {
    const compiled = documents.get(document);
    if (compiled === undefined) return null;
    if (!getOperationAST(document, operation || undefined)) return null; // callers can send any name
    const cached = compiled.get(operation);
    if (cached !== undefined) return cached;
    const result = compileQuery(schema, document, operation || undefined);
    const query = isCompiledQuery(result) ? result : null;
    compiled.set(operation, query);
    return query;
  };

  /** Records a document that has succeeded. */
  function add(document: DocumentNode): void {
    if (!documents.has(document)) documents.set(document, new Map());
  }

  /** Returns a function that executes a document, or null if graphql-js must execute it. */
  function findExecution({ document, operationName, variableValues }: Execution) {
    const query = findCompiledQuery(document, operationName ?? '');
    // graphql-js rejects invalid variables, so that the message is the same as on the first execution.
    if (query === null || !hasValidVariables(schema, document, operationName, variableValues))
      return null;
    return ({ rootValue, contextValue, variableValues }: Omit<Execution, 'document'>) =>
      query.query(rootValue, contextValue, {
        ...getVariableDefaults(document, operationName),
        ...variableValues,
      });
  }

  return { add, findExecution };
}

export type Jit = ReturnType<typeof createJit>;

/**
 * Compiles a document after its first success: repeated documents run several times faster, while documents that are sent
 * once or rejected cost no compilation. Yoga's document cache returns the same object for the same text and bounds the
 * number of documents.
 */
export const createJitPlugin = (jit: Jit): Plugin => ({
  onExecute: ({ args, setExecuteFn }) => {
    const execution = jit.findExecution(args);
    if (execution !== null) {
      setExecuteFn(execution);
      return;
    }
    return {
      onExecuteDone: ({ result }) => {
        if (!('errors' in result) || result.errors === undefined) jit.add(args.document);
      },
    };
  },
});

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
  const operation = getOperationAST(document, operationName);
  return !operation || coerceVariables(schema, operation, values).errors === undefined;
}
