import { type ExecutionArgs, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { toCallerKey } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import type { GraphqlContext } from './context.ts';

/**
 * Executes a query when it is the turn of its caller. Queries wait for the database, so that many of one caller begin before the first has
 * ended, and all their statements would be before those of a caller who comes later.
 *
 * @throws UNAVAILABLE if the caller disconnects during the wait
 */
export const takeQueryTurn = <Result>(
  { queues, viewer, clientAddress = '', getDisconnectSignal }: Context,
  execute: () => Promise<Result>,
): Promise<Result> =>
  queues.queries(toCallerKey(viewer, clientAddress), execute, { getSignal: getDisconnectSignal });

/** Mutations wait in queues of their own, by what they change. Subscriptions are not executed. */
export const createQueryTurnsPlugin = (): Plugin<GraphqlContext> => ({
  onExecute: ({ args, executeFn, setExecuteFn }) => {
    if (getOperationAST(args.document, args.operationName)?.operation !== 'query') return;
    const { ctx } = args.contextValue;
    setExecuteFn((args: ExecutionArgs) => takeQueryTurn(ctx, async () => executeFn(args)));
  },
});
