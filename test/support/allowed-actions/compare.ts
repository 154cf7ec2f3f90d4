import type { StaffRole } from '../../../src/auth/viewer.ts';
import type { Credential, GraphqlResponse } from '../clients/api.ts';
import { createStaffUser, makeMember } from '../factories/people.ts';
import type { TestApp } from '../harness/app.ts';

/** The text of a mutation, or a function that returns it for the object with this id. */
type Mutation = string | ((app: TestApp, id: string) => Promise<string>);

/** A type whose objects say what the caller can do with them. */
export interface ActionsCase {
  type: string;
  /** Default: `allowedActions`. */
  field?: string;
  /** The fields that lead to the object, if `node` does not find it: the query for what is read of it, and its first result. */
  read?: {
    toQuery: (selection: string) => string;
    toVariables: (app: TestApp, id: string) => Promise<object>;
    // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
    find: (data: any) => Record<string, Record<string, boolean>> | null;
  };
  /** Makes an object in each state, and returns its id. */
  states: Record<string, (app: TestApp) => Promise<string>>;
  /** The mutation of each action on the object `$id`. `$new` is a new value each time. */
  mutations: Record<string, Mutation>;
  /** Mutations that succeed without a button, as `state action`, and why. */
  withoutButton?: Record<string, string>;
  /** Whether owners can do more than managers. */
  dependsOnOwner?: true;
  /** Whether the id is a secret, with which anyone can do the same. */
  hasSecret?: true;
  /** Mutations that change what the journal does not record. */
  unrecorded?: string[];
}

/** Everyone who can call the API. The tokens have all read scopes, and all scopes. */
export async function signInViewers(app: TestApp): Promise<Record<string, Credential>> {
  const signInStaff = async (role: StaffRole) => ({
    cookie: await (await createStaffUser(app, role)).session(),
  });
  const nouns = (await app.graphql('{ scopes { scope } }')).data.scopes.map(
    ({ scope }: { scope: string }) => scope,
  ) as string[];
  const toToken = async (scopes: string[]) => ({ token: await app.token(...scopes) });
  return {
    owner: await signInStaff('owner'),
    manager: await signInStaff('manager'),
    'front desk': await signInStaff('front_desk'),
    reader: await toToken(nouns.filter((scope) => scope.endsWith(':read'))),
    writer: await toToken(nouns.filter((scope) => scope !== '*')),
    member: await (await makeMember(app)).signedIn(),
  };
}

/**
 * Compares the actions of an object with its mutations: an action is allowed exactly if its mutation succeeds and changes something.
 * Returns the actions whose mutations say otherwise. An object that nothing has changed is used again.
 */
export async function findWrongActions(
  app: TestApp,
  viewer: Credential,
  state: string,
  { type, field = 'allowedActions', ...given }: ActionsCase,
): Promise<{ wrong: string[]; allowed: string[] }> {
  const actions = Object.keys(given.mutations);
  const selection = `${field} { ${actions.join(' ')} }`;
  const read = given.read ?? {
    toQuery: (it: string) => `query ($id: ID!) { node(id: $id) { ... on ${type} { ${it} } } }`,
    toVariables: async (_: TestApp, id: string) => ({ id }),
    find: (data) => data.node,
  };
  const query = read.toQuery(selection);
  const makeObject = given.states[state];
  let id: string | undefined;
  let changeCount = 0;
  let allowed: Record<string, boolean> = {};
  const wrong: string[] = [];
  for (const action of actions) {
    if (id === undefined) {
      id = (await makeObject?.(app)) ?? '';
      changeCount = await countChanges(app);
      const response = await app.graphql(query, await read.toVariables(app, id), viewer);
      assertAnswered(response);
      // Whoever cannot read the object has no buttons.
      allowed = (response.data && read.find(response.data)?.[field]) ?? {};
    }
    const isAllowed = allowed[action] ?? false;
    const isAccepted = await callMutation(app, viewer, given.mutations[action] ?? '', id);
    const succeeds =
      isAccepted &&
      ((given.unrecorded?.includes(action) ?? false) || (await countChanges(app)) > changeCount);
    const hasButton = succeeds && !given.withoutButton?.[`${state} ${action}`];
    if (isAllowed !== hasButton) wrong.push(`${action}: ${isAllowed}, but ${hasButton}`);
    if (succeeds) id = undefined;
  }
  return { wrong, allowed: actions.filter((action) => allowed[action]) };
}

let callCount = 0;

/** Calls a mutation and returns whether it succeeded. */
async function callMutation(
  app: TestApp,
  viewer: Credential,
  given: Mutation,
  id: string,
): Promise<boolean> {
  callCount += 1;
  const mutation = typeof given === 'string' ? given : await given(app, id);
  const declared = Object.entries({ $id: 'ID!', $new: 'String!' })
    .filter(([name]) => mutation.includes(name))
    .map(([name, type]) => `${name}: ${type}`);
  const variables = declared.length > 0 ? `(${declared.join(', ')})` : '';
  const text = `mutation ${variables} { ${mutation} { __typename } }`;
  const response = await app.graphql(text, { id, new: `new-${callCount}` }, viewer);
  assertAnswered(response);
  return response.errors.length === 0;
}

async function countChanges({ ctx }: TestApp): Promise<number> {
  const [row] = await ctx.pipelinedSql<{ count: number }>(COUNT_CHANGES, []);
  return row?.count ?? 0;
}

const COUNT_CHANGES = { text: 'SELECT count(*)::int AS count FROM changes' };

const REJECTIONS = ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'VALIDATION', 'CONFLICT'];

/** Checks that an error is a rejection by the service, and not a mistake of the test. */
function assertAnswered({ errors, codes }: GraphqlResponse): void {
  if (codes.some((code) => !REJECTIONS.includes(code)))
    throw new Error(`${codes.join()}: ${errors[0]?.message}`);
}
