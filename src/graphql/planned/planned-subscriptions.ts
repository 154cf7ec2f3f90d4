import { isAsyncIterable, mapAsyncIterator } from '@graphql-tools/utils';
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../../context.ts';
import type { GraphqlContext } from '../context.ts';
import { coerceVariables, type Variables } from '../variables.ts';
import { NotPlannable } from './render-sql.ts';
import { prepareRootField, readRootField, renderRootStatement } from './root-statement.ts';
import { collectSelection, type SelectedField } from './selection.ts';
import { leadsToRows } from './split.ts';

type SubscriptionArgs = Pick<
  ExecutionArgs,
  'schema' | 'document' | 'operationName' | 'variableValues'
>;

/** A subscription whose events PostgreSQL can answer. */
export interface SubscriptionPlan {
  operation: OperationDefinitionNode;
  /** Reads the response to an event for the viewer of the context. Returns null if the ordinary execution must answer it. */
  read(ctx: Context, event: unknown): Promise<ExecutionResult | null>;
}

/**
 * Answers the events of subscriptions as planned queries are answered: PostgreSQL reads the selected fields of an event in one
 * statement. Everything else is left to the ordinary execution: fields that no projection covers, missing access, and subscriptions
 * that select only what their events contain, which need no statement.
 */
export const createPlannedSubscriptionsPlugin = (): Plugin<GraphqlContext> => ({
  onSubscribe: ({ args, setSubscribeFn }) => {
    const plan = planSubscription(args);
    if (plan !== null) setSubscribeFn((args: ExecutionArgs) => subscribe(args, plan));
  },
});

/** As the ordinary `subscribe`, but with the plan's responses. */
async function subscribe(args: ExecutionArgs, { operation, read }: SubscriptionPlan) {
  const events = await createSourceEventStream(args);
  if (!isAsyncIterable(events)) return events;
  const { contextValue } = args as { contextValue: GraphqlContext };
  return mapAsyncIterator(
    events,
    // The context has the viewer who was authenticated for this event.
    async (event) =>
      (await read(contextValue.ctx, event)) ?? execute({ ...args, rootValue: event }),
    (error: Error) => {
      throw new GraphQLError(error.message, { originalError: error, nodes: [operation] });
    },
  );
}

/** Plans a subscription when it starts. Returns null if resolvers answer all of its events. */
export function planSubscription(args: SubscriptionArgs): SubscriptionPlan | null {
  const { schema, document, operationName, variableValues } = args;
  const root = schema.getSubscriptionType();
  const operation = getOperationAST(document, operationName);
  if (!root || !operation) return null;
  const variables = coerceVariables(schema, operation, variableValues).coerced;
  if (variables === undefined) return null;
  const [field] = collectSelection(schema, document, operation, root, variables).fields;
  const isPlannable = field?.definition?.extensions.row !== undefined;
  if (!isPlannable || !field.selection || !leadsToRows(field.selection)) return null;
  return { operation, read: createEventReader(field, variables) };
}

function createEventReader(field: SelectedField, variables: Variables): SubscriptionPlan['read'] {
  let isPlannable = true;
  return async (ctx, event) => {
    if (!isPlannable) return null;
    try {
      const json = await readRootField(
        ctx,
        prepareRootField(renderRootStatement(ctx, field, variables, event)),
      );
      return json === null ? null : { data: JSON.parse(`{${json}}`) };
    } catch (error) {
      if (error instanceof NotPlannable) isPlannable = false;
      return null; // the ordinary execution raises other errors again and reports them
    }
  };
}
