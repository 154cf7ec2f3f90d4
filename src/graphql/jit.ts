import type { DocumentNode, GraphQLSchema } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';

/**
 * Compiles a document when it comes a second time: what clients send again and again runs several times faster, and
 * what is sent once costs no compilation. Documents are told apart by Yoga's own cache, so they are as many as it keeps.
 */
export function jit(schema: GraphQLSchema): Plugin {
  const compiled = new WeakMap<DocumentNode, Map<string, CompiledQuery | null>>();

  const find = (document: DocumentNode, operation: string): CompiledQuery | null => {
    const seen = compiled.get(document);
    if (seen === undefined) {
      compiled.set(document, new Map());
      return null;
    }
    const known = seen.get(operation);
    if (known !== undefined) return known;
    const query = compileQuery(schema, document, operation || undefined);
    const usable = isCompiledQuery(query) ? query : null;
    seen.set(operation, usable);
    return usable;
  };

  return {
    onExecute: ({ args, setExecuteFn }) => {
      const query = find(args.document, args.operationName ?? '');
      if (query === null) return;
      setExecuteFn(({ rootValue, contextValue, variableValues }) =>
        query.query(rootValue, contextValue, variableValues ?? {}),
      );
    },
  };
}
