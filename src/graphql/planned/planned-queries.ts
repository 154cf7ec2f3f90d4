import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../context.ts';
import { MAX_QUERY_COST } from '../../core/query-points.ts';
import { isUnavailable, toDomainError } from '../../errors.ts';
import type { QueryBudget } from '../query-budget.ts';
import { buildCostTree, type CostTree, computeRequestedCost } from '../query-cost.ts';
import { coerceVariables, type Variables } from '../variables.ts';
import { createComposedStatements, findIdVariables } from './composed-statements.ts';
import { ITEM_START, NotPlannable } from './render-sql.ts';
import {
  type PreparedField,
  prepareRootField,
  readRootField,
  renderRootStatement,
} from './root-statement.ts';
import { collectSelection, findDirectiveVariables, type Selection } from './selection.ts';
import {
  findResolvedPath,
  mergeParts,
  type ObjectValue,
  selectFields,
  splitSelection,
} from './split.ts';

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
  idVariables: string[];
  /** By the values of these variables. */
  plans: Map<string, Plan>;
}

/** How a selection is answered. */
interface Plan {
  /** Changes with `planned`. */
  id: string;
  selection: Selection;
  /** The part that PostgreSQL answers. */
  planned: Selection;
  /** The fields that only resolvers can answer, and the document that selects them. Null if there are none. */
  resolvedPaths: ReadonlySet<string>;
  remainder: DocumentNode | null;
  cost: CostTree;
}

/** A request with the plan of its document. */
export interface PlannedRequest {
  known: KnownDocument;
  variables: Variables;
  plan: Plan;
}

/** The plan of a request that PostgreSQL answers in part. */
export interface PartialPlan {
  /** Selects what resolvers must answer. */
  remainder: DocumentNode;
  /**
   * Reads the other part. Returns null if the ordinary execution must answer all of it.
   * @throws UNAVAILABLE if the database is.
   */
  read(ctx: Context): Promise<ObjectValue>;
  /** Merges what was read with the response to `remainder`. */
  merge(read: ObjectValue, resolved: ObjectValue): ObjectValue;
}

const MAX_DOCUMENTS = 500;
const MAX_PLANS_PER_DOCUMENT = 8;

/**
 * Answers queries whose fields are described by projections: PostgreSQL writes the response, in one statement for each
 * root field. A document is planned after the ordinary execution has parsed, validated and answered it once. If a document
 * also selects fields that only resolvers can answer, these are executed as a document of their own. Everything else is
 * left to the ordinary execution: errors and missing access.
 */
export function createPlannedQueries(schema: GraphQLSchema, budget: QueryBudget) {
  const documents = new LRUCache<string, KnownDocument>({ max: MAX_DOCUMENTS });
  const composeOnce = createComposedStatements();
  const createPlanId = createCounter();
  const root = schema.getQueryType();
  if (!root) throw new Error('the schema has no queries');

  /** Records a request that the ordinary execution has answered without errors. */
  function addDocument(request: GraphqlRequest, document: DocumentNode): void {
    const operation = getOperationAST(document, request.operationName ?? undefined);
    if (operation?.operation !== OperationTypeNode.QUERY || !root) return;
    const known = documents.get(toKey(request)) ?? {
      document,
      operation,
      directiveVariables: findDirectiveVariables(document),
      idVariables: findIdVariables(operation),
      plans: new Map<string, Plan>(),
    };
    documents.set(toKey(request), known);
    if (known.plans.size >= MAX_PLANS_PER_DOCUMENT) return;
    const variables = coerceVariables(schema, known.operation, request.variables).coerced;
    if (variables === undefined) return;
    const key = toPlanKey(known, variables);
    if (known.plans.has(key)) return;
    const selection = collectSelection(schema, document, operation, root, variables);
    known.plans.set(key, {
      id: createPlanId(),
      selection,
      planned: selection,
      resolvedPaths: new Set(),
      remainder: null,
      cost: buildCostTree(schema, document, operation, variables),
    });
  }

  /** Returns the plan of a request, or null if its document is not known or cannot be planned. */
  function findPlan(request: GraphqlRequest): PlannedRequest | null {
    const known = documents.get(toKey(request));
    const variables = known && coerceVariables(schema, known.operation, request.variables).coerced;
    const plan = variables && known.plans.get(toPlanKey(known, variables));
    return plan && hasPlannedPart(plan) ? { known, variables, plan } : null;
  }

  /**
   * Returns the response as JSON, or null if the ordinary execution must answer the request.
   * @throws RATE_LIMITED beyond the budget of the caller, and UNAVAILABLE if the database is.
   */
  async function answer(ctx: Context, request: PlannedRequest): Promise<string | null> {
    const { known, variables, plan } = request;
    if (plan.remainder !== null) return null;
    let requested: number;
    let statements: PreparedField[] | null;
    try {
      requested = computeRequestedCost(plan.cost, variables);
      if (requested > MAX_QUERY_COST) return null;
      statements = renderPlan(ctx, known, plan, variables);
    } catch {
      return null; // the ordinary execution raises the error again and reports it
    }
    if (statements === null || plan.remainder !== null) return null;
    const charge = budget.charge(ctx.viewer, ctx.clientAddress ?? '', requested);
    let fields: string[] | null = null;
    try {
      fields = await readFields(ctx, statements).catch(rethrowOutage);
    } finally {
      if (fields === null) charge.settle(0); // an outage costs nothing, and the ordinary execution charges it
    }
    if (fields === null) return null;
    const data = fields.join(',');
    const cost = charge.settle(fields.length + countItems(data));
    return `{"data":{${data}},"extensions":{"cost":${JSON.stringify(cost)}}}`;
  }

  /** Returns how to answer a request that PostgreSQL can answer in part, or null. Checks and charges no cost. */
  function findPartialPlan(request: GraphqlRequest): PartialPlan | null {
    const found = findPlan(request);
    if (found === null) return null;
    const { known, variables, plan } = found;
    const { remainder } = plan;
    if (remainder === null) return null;
    return {
      remainder,
      async read(ctx) {
        try {
          const statements = renderPlan(ctx, known, plan, variables);
          if (statements === null || plan.remainder !== remainder) return null;
          const fields = await readFields(ctx, statements);
          return fields && JSON.parse(`{${fields.join(',')}}`);
        } catch (error) {
          return rethrowOutage(error);
        }
      },
      merge: (read, resolved) => mergeParts(plan.selection, read, resolved),
    };
  }

  /**
   * Renders the statements of a plan, and leaves fields that cannot be planned to the resolvers. Returns null if nothing can be
   * planned. @throws for missing access and invalid arguments.
   */
  function renderPlan(
    ctx: Context,
    { document, operation, idVariables }: KnownDocument,
    plan: Plan,
    variables: Variables,
  ): PreparedField[] | null {
    const compose = (ctx: Context, variables: Variables) =>
      plan.planned.fields.map((field) =>
        prepareRootField(renderRootStatement(ctx, field, variables)),
      );
    while (hasPlannedPart(plan)) {
      try {
        return composeOnce(plan.id, ctx, { variables, idVariables }, compose);
      } catch (error) {
        if (!(error instanceof NotPlannable)) throw error;
        const path = findResolvedPath(plan.selection, error.path);
        if (plan.resolvedPaths.has(path)) throw error;
        plan.resolvedPaths = new Set([...plan.resolvedPaths, path]);
        const { planned, resolved } = splitSelection(plan.selection, plan.resolvedPaths);
        plan.id = createPlanId();
        plan.planned = planned;
        plan.remainder = selectFields(document, operation, resolved);
      }
    }
    return null;
  }

  /** Returns null if a field has no value. */
  async function readFields(ctx: Context, statements: PreparedField[]): Promise<string[] | null> {
    const fields = await Promise.all(statements.map((statement) => readRootField(ctx, statement)));
    return fields.every((field) => field !== null) ? fields : null;
  }

  return { addDocument, findPlan, answer, findPartialPlan };
}

export type PlannedQueries = ReturnType<typeof createPlannedQueries>;

function createCounter(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return String(count);
  };
}

const toKey = ({ query = '', operationName }: GraphqlRequest) => `${operationName ?? ''}\n${query}`;

const toPlanKey = ({ directiveVariables }: KnownDocument, variables: Variables) =>
  directiveVariables.length === 0
    ? ''
    : JSON.stringify(directiveVariables.map((name) => variables[name] ?? null));

/**
 * Returns null for other errors, which the ordinary execution raises again and reports. After an outage or a timeout, it would
 * only repeat the work.
 */
function rethrowOutage(thrown: unknown): null {
  const error = toDomainError(thrown);
  if (isUnavailable(error)) throw error;
  return null;
}

function countItems(json: string): number {
  let count = 0;
  for (let at = json.indexOf(ITEM_START); at !== -1; at = json.indexOf(ITEM_START, at + 1))
    count += 1;
  return count;
}

/** Whether PostgreSQL answers anything. A selection can also be empty. */
const hasPlannedPart = ({ planned, remainder }: Plan) =>
  planned.fields.length > 0 || remainder === null;
