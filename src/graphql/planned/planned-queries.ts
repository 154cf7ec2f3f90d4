import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { requireAccess } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { createAliases } from '../../db/json-projection.ts';
import { createParameters, createStatementCache } from '../../db/prepared-statement.ts';
import type { QueryBudget } from '../query-budget.ts';
import { buildCostTree, type CostTree, computeRequestedCost } from '../query-cost.ts';
import { MAX_QUERY_COST } from '../query-limits.ts';
import { ITEM_START, NotPlannable, renderRootField } from './render-sql.ts';
import {
  collectSelection,
  findDirectiveVariables,
  type Selection,
  type Variables,
} from './selection.ts';

/** A GraphQL request, as clients send it. */
export interface GraphqlRequest {
  query?: string | undefined;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

/** A document that the ordinary execution has answered without errors. */
interface KnownDocument {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** The variables on which the selection depends. */
  directiveVariables: string[];
  /** By the values of these variables. */
  selections: Map<string, PlannedSelection>;
  isPlannable: boolean;
}

interface PlannedSelection {
  selection: Selection;
  cost: CostTree;
}

const MAX_DOCUMENTS = 500;
const MAX_SELECTIONS_PER_DOCUMENT = 8;

/**
 * Answers queries whose fields are all described by projections: PostgreSQL writes the response, in one statement for each
 * root field. A document is planned after the ordinary execution has parsed, validated and answered it once. Everything
 * else is left to the ordinary execution: errors, missing access, and fields that only resolvers can answer.
 */
export function createPlannedQueries(schema: GraphQLSchema, budget: QueryBudget) {
  const documents = new LRUCache<string, KnownDocument>({ max: MAX_DOCUMENTS });
  const prepareStatement = createStatementCache('planned');
  const root = schema.getQueryType();
  if (!root) throw new Error('the schema has no queries');

  /** Records a request that the ordinary execution has answered without errors. */
  function learn(request: GraphqlRequest, document: DocumentNode): void {
    const operation = getOperationAST(document, request.operationName ?? undefined);
    if (operation?.operation !== OperationTypeNode.QUERY || !root) return;
    const known = documents.get(toKey(request)) ?? {
      document,
      operation,
      directiveVariables: findDirectiveVariables(document),
      selections: new Map<string, PlannedSelection>(),
      isPlannable: true,
    };
    documents.set(toKey(request), known);
    if (!known.isPlannable || known.selections.size >= MAX_SELECTIONS_PER_DOCUMENT) return;
    const variables = coerceVariables(known, request);
    if (variables === null) return;
    const key = toSelectionKey(known, variables);
    if (known.selections.has(key)) return;
    const selection = collectSelection(schema, document, operation, root, variables);
    if (selection === null) known.isPlannable = false;
    else
      known.selections.set(key, {
        selection,
        cost: buildCostTree(schema, document, operation, variables),
      });
  }

  /** Whether `answer` can answer this document, as far as is known without reading. */
  const isKnown = (request: GraphqlRequest): boolean =>
    documents.get(toKey(request))?.isPlannable === true;

  /**
   * Returns the response as JSON, or null if the ordinary execution must answer the request.
   * @throws RATE_LIMITED beyond the budget of the caller.
   */
  async function answer(ctx: Context, request: GraphqlRequest): Promise<string | null> {
    const known = documents.get(toKey(request));
    if (!known?.isPlannable) return null;
    const variables = coerceVariables(known, request);
    const planned = variables && known.selections.get(toSelectionKey(known, variables));
    if (!variables || !planned) return null;
    let statements: ReturnType<typeof renderStatements>;
    let requested: number;
    try {
      requested = computeRequestedCost(planned.cost, variables);
      if (requested > MAX_QUERY_COST) return null;
      statements = renderStatements(ctx, planned.selection, variables);
    } catch (error) {
      // Any other error is raised again by the ordinary execution, which reports it.
      if (error instanceof NotPlannable) known.isPlannable = false;
      return null;
    }
    const charge = budget.charge(ctx.viewer, ctx.clientAddress ?? '', requested);
    const fields = await readFields(ctx, statements).catch(() => null);
    if (fields === null) {
      charge.settle(0); // the ordinary execution charges it
      return null;
    }
    const data = fields.join(',');
    const cost = charge.settle(fields.length + countItems(data));
    return `{"data":{${data}},"extensions":{"cost":${JSON.stringify(cost)}}}`;
  }

  /** Returns null if a field has no value. */
  async function readFields(
    ctx: Context,
    statements: ReturnType<typeof renderStatements>,
  ): Promise<string[] | null> {
    const fields = await Promise.all(
      statements.map(async ({ key, text, values }) => {
        const [row] = await ctx.pipelinedSql<{ json: string | null }>(
          prepareStatement(text),
          values,
        );
        return row?.json == null ? null : `${JSON.stringify(key)}:${row.json}`;
      }),
    );
    return fields.every((field) => field !== null) ? fields : null;
  }

  function coerceVariables({ operation }: KnownDocument, { variables }: GraphqlRequest) {
    const definitions = operation.variableDefinitions ?? [];
    return getVariableValues(schema, definitions, variables ?? {}).coerced ?? null;
  }

  return { learn, isKnown, answer };
}

export type PlannedQueries = ReturnType<typeof createPlannedQueries>;

const toKey = ({ query = '', operationName }: GraphqlRequest) => `${operationName ?? ''}\n${query}`;

const toSelectionKey = ({ directiveVariables }: KnownDocument, variables: Variables) =>
  directiveVariables.length === 0
    ? ''
    : JSON.stringify(directiveVariables.map((name) => variables[name] ?? null));

function countItems(json: string): number {
  let count = 0;
  for (let at = json.indexOf(ITEM_START); at !== -1; at = json.indexOf(ITEM_START, at + 1))
    count += 1;
  return count;
}

function renderStatements(ctx: Context, { fields }: Selection, variables: Variables) {
  return fields.map((field) => {
    const { values, bind } = createParameters();
    const now = bind(ctx.now(), 'timestamptz');
    const sql = renderRootField(field, {
      viewer: ctx.viewer,
      now: ctx.now,
      hasMailServer: ctx.hasMailServer,
      bind,
      variables,
      nextAlias: createAliases(),
      requireAccess: (access) => requireAccess(ctx.viewer, access),
    });
    return {
      key: field.key,
      text: `SELECT ${sql} AS json FROM (SELECT ${now} AS now) clock`,
      values,
    };
  });
}
