import { parse } from 'graphql';
import type { Viewer } from '../../../src/auth/viewer.ts';
import { createPlannedQueries } from '../../../src/graphql/planned/planned-queries.ts';
import { createQueryBudget } from '../../../src/graphql/query-budget.ts';
import { schema } from '../../../src/graphql/schema.ts';
import { STAFF, type TestApp } from '../harness/app.ts';
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
    callers[role] = {
      credential: { cookie: await app.signIn(STAFF[role]) },
      viewer: { kind: 'staff', id: 'x', name: 'x', role, sessionId: 'x' },
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

/** Returns a function that sends a query twice: to PostgreSQL as a planned document, and to the resolvers. */
export function createComparison(app: TestApp) {
  const budget = createQueryBudget(
    { pointsPerMinute: 1e9, anonymousPointsPerMinute: 1e9 },
    () => app.clock.now,
  );
  const queries = createPlannedQueries(schema, budget);
  let sent = 0;

  /** Nobody has sent this text before, so it is not planned. */
  async function execute(text: string, { token, cookie }: Credential): Promise<string> {
    sent += 1;
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(cookie && { cookie }),
      },
      body: JSON.stringify({ query: `${text} # ${sent}` }),
    });
    return response.text();
  }

  return async (text: string, { viewer, credential }: QueryCaller): Promise<Answers> => {
    queries.learn({ query: text }, parse(text));
    const planned = await queries.answer({ ...app.ctx, viewer }, { query: text });
    return {
      planned: planned && ignoreRemainingPoints(planned),
      executed: ignoreRemainingPoints(await execute(text, credential)),
    };
  };
}

/** Each response has spent more. PostgreSQL writes white space between the items of lists. */
function ignoreRemainingPoints(response: string): string {
  const { extensions, ...rest } = JSON.parse(response);
  return JSON.stringify({
    ...rest,
    requested: extensions?.cost?.requested,
    actual: extensions?.cost?.actual,
  });
}
