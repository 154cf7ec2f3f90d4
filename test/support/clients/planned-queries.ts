import { parse } from 'graphql';
import { v7 } from 'uuid';
import type { Viewer } from '../../../src/auth/viewer.ts';
import type { Context } from '../../../src/context.ts';
import { DAY_MS } from '../../../src/core/time/time-zone.ts';
import { createPlannedQueries } from '../../../src/graphql/planned/planned-queries.ts';
import { createQueryBudget } from '../../../src/graphql/query-budget.ts';
import { schema } from '../../../src/graphql/schema.ts';
import type { Variables } from '../../../src/graphql/variables.ts';
import { STAFF, type TestApp } from '../harness/app.ts';
import { captureStatements, isOfPlannedQuery } from '../harness/query-plans.ts';
import type { Credential } from './api.ts';

const SCOPES = {
  everything: ['*'],
  bookings: ['bookings:read'],
  spaces: ['spaces:read', 'events:read', 'members:read'],
  orders: ['orders:read', 'check-ins:read'],
};

export interface QueryCaller {
  credential: Credential;
  viewer: Viewer;
}

/** Creates callers of each kind, by name. The member has the email address of `member`. */
export async function createQueryCallers(
  app: TestApp,
  member: { id: string; name: string; email: string },
) {
  const callers: Record<string, QueryCaller> = {
    anonymous: { credential: {}, viewer: { kind: 'anonymous' } },
  };
  for (const [name, scopes] of Object.entries(SCOPES)) {
    callers[name] = {
      credential: { token: await app.token(...scopes) },
      viewer: { kind: 'token', id: name, name, scopes },
    };
  }
  for (const role of ['front_desk', 'owner'] as const) {
    const where = { email: STAFF[role] };
    const { id, name } = await app.ctx.db.user.findUniqueOrThrow({ where });
    callers[role] = {
      credential: { cookie: await app.signIn(STAFF[role]) },
      viewer: { kind: 'staff', id, name, role, sessionId: 'x' },
    };
  }
  const { id, name, email } = member;
  await app.ctx.db.user.create({ data: { name, email, memberId: id } });
  callers.member = {
    credential: { cookie: await app.signIn(email) },
    viewer: { kind: 'member', id, name, sessionId: 'x' },
  };
  return callers;
}

interface Answers {
  /** Null if the document or the caller needs the resolvers. */
  planned: string | null;
  executed: string;
}

/** Another caller with the same access. */
const toSibling = (viewer: Viewer): Viewer => ({
  ...viewer,
  ...('id' in viewer && { id: v7(), name: 'Another person' }),
  ...('sessionId' in viewer && { sessionId: v7() }),
});

/**
 * Returns a function that sends a query twice: to PostgreSQL as a planned document, and to the resolvers. The text of the planned
 * statements was composed on another day for another caller with the same access, with the variables `learned`.
 */
export function createComparison(app: TestApp) {
  const budget = createQueryBudget(
    { pointsPerMinute: 1e9, anonymousPointsPerMinute: 1e9 },
    () => app.clock.now,
  );
  const queries = createPlannedQueries(schema, budget);
  return async (
    text: string,
    { viewer, credential }: QueryCaller,
    { variables = {}, learned = variables }: { variables?: Variables; learned?: Variables } = {},
  ): Promise<Answers> => {
    const answer = async (ctx: Context, variables: Variables) => {
      queries.addDocument({ query: text, variables }, parse(text));
      const plan = queries.findPlan({ query: text, variables });
      return plan && queries.answer(ctx, plan);
    };
    const now = () => new Date(+app.clock.now - DAY_MS);
    for (let request = 0; request < 2; request += 1)
      await answer({ ...app.ctx, now, viewer: toSibling(viewer) }, learned);
    const planned = await answer({ ...app.ctx, viewer }, variables);
    return {
      planned: planned && toComparable(planned),
      executed: await execute(app, text, credential, variables),
    };
  };
}

interface PartialAnswers {
  /** Whether PostgreSQL answered a part of the query. */
  isPlanned: boolean;
  /** The response of the service, which knows the query. */
  answered: string;
  /** The response of the resolvers. */
  executed: string;
}

/** Sends a query until the service knows how to answer it in part, then once more, and to the resolvers. */
export async function comparePartialPlan(
  app: TestApp,
  text: string,
  { credential }: QueryCaller,
  teacher: QueryCaller,
  { variables = {}, learned = variables }: { variables?: object; learned?: object } = {},
): Promise<PartialAnswers> {
  for (let request = 0; request < 2; request += 1)
    await send(app, text, teacher.credential, learned);
  let answered = '';
  const statements = await captureStatements(async () => {
    answered = await send(app, text, credential, variables);
  });
  return {
    isPlanned: statements.some(isOfPlannedQuery),
    answered,
    executed: await execute(app, text, credential, variables),
  };
}

let executions = 0;

/** Nobody has sent this text before, so it is not planned. */
function execute(app: TestApp, text: string, credential: Credential, variables?: object) {
  executions += 1;
  return send(app, `${text} # ${executions}`, credential, variables);
}

async function send(
  app: TestApp,
  query: string,
  { token, cookie }: Credential,
  variables: object = {},
): Promise<string> {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cookie && { cookie }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return toComparable(await response.text());
}

/**
 * Each response has spent more. PostgreSQL writes white space between the items of lists, and compiled queries do not tell
 * where an error is in the document.
 */
function toComparable(response: string): string {
  const { data, errors, extensions } = JSON.parse(response);
  return JSON.stringify({
    data,
    errors: errors?.map(({ locations: _, ...error }: Record<string, unknown>) => error),
    requested: extensions?.cost?.requested,
    actual: extensions?.cost?.actual,
  });
}

/** Replaces an extension of a type or a field during the work. */
export async function withExtension<Result>(
  target: { extensions: Record<string, unknown> },
  key: string,
  value: unknown,
  work: () => Promise<Result>,
): Promise<Result> {
  const original = target.extensions[key];
  target.extensions[key] = value;
  try {
    return await work();
  } finally {
    target.extensions[key] = original;
  }
}
