import { getOperationAST, parse } from 'graphql';
import type { Context } from '../../../src/context.ts';
import { renderRootStatement } from '../../../src/graphql/planned/root-statement.ts';
import { collectSelection } from '../../../src/graphql/planned/selection.ts';
import { schema } from '../../../src/graphql/schema.ts';
import { coerceVariables } from '../../../src/graphql/variables.ts';
import type { SentStatement } from '../harness/query-plans.ts';
import type { ListOperation } from './list-operations.ts';

/** Returns the statement of a list without running it. @throws NotPlannable for a list that only resolvers reach. */
export function renderStatement(ctx: Context, { query, variables }: ListOperation): SentStatement {
  const document = parse(query);
  const operation = getOperationAST(document);
  const root = schema.getQueryType();
  const coerced = operation && coerceVariables(schema, operation, variables).coerced;
  if (!operation || !root || !coerced) throw new Error(`${query} is not valid.`);
  const [field] = collectSelection(schema, document, operation, root, coerced).fields;
  if (field === undefined) throw new Error(`${query} selects nothing.`);
  const { text, parameters } = renderRootStatement(ctx, field, coerced);
  const { values, needsCustomPlan } = parameters;
  return { text, values, name: 'planned', needsCustomPlan };
}
