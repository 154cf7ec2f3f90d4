import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Dependencies } from '../server/dependencies.ts';
import type { GraphqlContext } from './context.ts';
import { toRejectionError } from './errors.ts';
import {
  assertAffordable,
  buildCostTree,
  type CostTree,
  computeActualCost,
  computeRequestedCost,
} from './query-cost.ts';
import type { RequestSizeCharges } from './request-size-plugin.ts';
import { coerceVariables } from './variables.ts';

class InvalidVariables extends Error {
  readonly errors: GraphQLError[];
  constructor(errors: GraphQLError[]) {
    super('The variables are invalid.');
    this.errors = errors;
  }
}

interface ExecutionArguments {
  document: DocumentNode;
  operationName?: string | null | undefined;
  variableValues?: Record<string, unknown> | null | undefined;
  contextValue: unknown;
}

/**
 * Charges each operation before it is executed, and returns its cost with the response. Rejects invalid variables, so that nothing
 * else has to.
 */
export function createQueryCostPlugin(
  schema: GraphQLSchema,
  sizeCharges: Pick<RequestSizeCharges, 'replace'>,
  { queryBudget, log }: Pick<Dependencies, 'queryBudget' | 'log'>,
): Plugin {
  /** Returns null if the execution rejects the request before it runs anything. */
  function findCost(args: ExecutionArguments) {
    try {
      return computeCost(args);
    } catch (thrown) {
      if (thrown instanceof GraphQLError) return null; // such as null for the argument of a directive
      throw thrown;
    }
  }

  function computeCost({ document, operationName, variableValues }: ExecutionArguments) {
    const operation = getOperationAST(document, operationName);
    if (!operation) return null;
    const { coerced, errors } = coerceVariables(schema, operation, variableValues);
    if (errors) throw new InvalidVariables(errors);
    const tree = buildCostTree(schema, document, operation, coerced);
    const requested = computeRequestedCost(tree, coerced);
    assertAffordable(requested);
    return { tree, requested };
  }

  const charge = ({ contextValue }: ExecutionArguments, requested: number) => {
    const { ctx, address, request } = contextValue as GraphqlContext & { request: Request };
    const chargeQuery = (points: number) => queryBudget.charge(ctx.viewer, address, points);
    return sizeCharges.replace(request, chargeQuery, requested);
  };

  const toErrors = (thrown: unknown) =>
    thrown instanceof InvalidVariables ? thrown.errors : [toRejectionError(thrown, log)];

  return {
    onExecute: ({ args, setResultAndStopExecution }) => {
      try {
        const cost = findCost(args);
        if (cost === null) return;
        const { settle } = charge(args, cost.requested);
        return {
          onExecuteDone: ({ result, setResult }) => {
            if (Symbol.asyncIterator in result) return;
            setResult(addCost(result, cost.tree, settle));
          },
        };
      } catch (thrown) {
        setResultAndStopExecution({ errors: toErrors(thrown) });
        return;
      }
    },
    onSubscribe: ({ args, setResultAndStopExecution }) => {
      try {
        const cost = findCost(args);
        if (cost === null) return;
        charge(args, 1);
        const context: unknown = args.contextValue;
        (context as GraphqlContext).chargeEvent = () => void charge(args, cost.requested);
      } catch (thrown) {
        setResultAndStopExecution({ errors: toErrors(thrown) });
      }
    },
  };
}

const addCost = (
  result: ExecutionResult,
  tree: CostTree,
  settle: (actual: number) => object,
): ExecutionResult => ({
  ...result,
  extensions: { ...result.extensions, cost: settle(computeActualCost(tree, result.data)) },
});
