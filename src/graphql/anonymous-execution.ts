import { type DocumentNode, execute, parse } from 'graphql';
import { anonymous } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Dependencies } from '../server/dependencies.ts';
import type { GraphqlContext } from './context.ts';
import { createLoaders } from './dataloaders.ts';
import { createListLoaders } from './list-loaders.ts';
import { schema } from './schema.ts';

/** Executes a query of our own pages. @throws the error of the query */
export type AnonymousExecution = (text: string, variables: object) => Promise<unknown>;

/**
 * Returns a function with which the service reads what its own pages show to people who are not signed in. The documents come
 * from the build, so they are neither validated nor charged; the pages are.
 */
export function createAnonymousExecution(deps: Dependencies): AnonymousExecution {
  const documents = new Map<string, DocumentNode>();
  return async (text, variables) => {
    const document = documents.get(text) ?? parse(text);
    documents.set(text, document);
    const { data, errors } = await execute({
      schema,
      document,
      variableValues: { ...variables },
      contextValue: createContext(deps),
    });
    const [error] = errors ?? [];
    if (error !== undefined) throw error.originalError ?? error;
    return data;
  };
}

function createContext(deps: Dependencies): GraphqlContext {
  const ctx = deps.createContext(anonymous);
  const createRowLoaders = (ctx: Context) => ({
    loaders: createLoaders(ctx),
    lists: createListLoaders(ctx),
  });
  return {
    ctx,
    deps,
    ...createRowLoaders(ctx),
    createLoaders: createRowLoaders,
    address: '',
    idempotencyKey: undefined,
    assertSameOrigin: rejectSession,
    chargeEvent: () => {},
    reauthenticate: async () => anonymous,
    openStream: rejectSession,
    browserSecret: undefined,
    setSessionCookie: rejectSession,
    setBrowserCookie: rejectSession,
  };
}

/** Nobody waits for the response of a query of our own. */
const rejectSession = (): never => {
  throw new DomainError('FORBIDDEN', 'Pages are read without a session.', {
    reason: 'SIGN_IN_NEEDED',
  });
};
