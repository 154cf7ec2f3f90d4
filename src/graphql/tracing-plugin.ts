import { type DocumentNode, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type Tracer, withSpan } from '../core/tracing.ts';

/** Clients choose the names of operations. */
const MAX_NAME_LENGTH = 100;

/** Executes each operation in a span with its type and name. Register it after all plugins that change the execution. */
export const createTracingPlugin = (tracer: Tracer): Plugin => ({
  onExecute: ({ args: { document, operationName }, executeFn, setExecuteFn }) => {
    setExecuteFn((args) =>
      traceOperation(tracer, document, operationName, async () => executeFn(args)),
    );
  },
  onSubscribe: ({ args: { document, operationName }, subscribeFn, setSubscribeFn }) => {
    setSubscribeFn((args) =>
      traceOperation(tracer, document, operationName, async () => subscribeFn(args)),
    );
  },
});

/** Runs an operation in a span with its type and name. Documents can contain personal data, so spans do not have them. */
export function traceOperation<T>(
  tracer: Tracer,
  document: DocumentNode,
  operationName: string | null | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const operation = getOperationAST(document, operationName);
  const type = operation?.operation ?? 'unknown';
  const name = operation?.name?.value.slice(0, MAX_NAME_LENGTH);
  const attributes = {
    'graphql.operation.type': type,
    ...(name === undefined ? {} : { 'graphql.operation.name': name }),
  };
  return withSpan(tracer, name === undefined ? type : `${type} ${name}`, { attributes }, work);
}
