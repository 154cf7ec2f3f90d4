import { type Access, demand, type Viewer } from '../../src/auth/viewer.ts';
import { DomainError } from '../../src/errors.ts';
import { schema } from '../../src/graphql/schema.ts';
import { routes } from '../../src/rest/routes.ts';

export interface Operation {
  /** Such as "Mutation.createPlan" or "GET /members". */
  name: string;
  access: Access | 'device-token';
}

/** Every root field of GraphQL and every REST route, with what it asks of its caller. */
export function listOperations(): Operation[] {
  const fields = [
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ].flatMap((root) =>
    Object.entries(root?.getFields() ?? {}).map(([field, { extensions }]) => ({
      name: `${root?.name}.${field}`,
      access: (extensions.pothosOptions as { authScopes: { access: Access } }).authScopes.access,
    })),
  );
  const paths = routes.map(({ method, path, access }) => ({ name: `${method} ${path}`, access }));
  return [...fields, ...paths].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const person = { id: 'x', name: 'x', sessionId: 'x' };

/** One caller of each kind that the documentation tells apart; a token is asked for its scopes instead. */
export const CALLERS = {
  anyone: { kind: 'anonymous' },
  member: { kind: 'member', ...person },
  'front desk': { kind: 'staff', role: 'front_desk', ...person },
  manager: { kind: 'staff', role: 'manager', ...person },
  owner: { kind: 'staff', role: 'owner', ...person },
} as const satisfies Record<string, Viewer>;

export type CallerName = keyof typeof CALLERS;

/** Operations whose service refuses some callers that have the scope. */
const REFUSED: Record<string, (CallerName | 'token')[]> = {
  'Mutation.confirmBooking': ['member'], // it overrules the policy
  'Mutation.createCalendarFeed': ['token'], // a feed would outlive the token
};

/** Whether a caller of this kind can use the operation. */
export function canUse(caller: CallerName, { name, access }: Operation): boolean {
  if (access === 'device-token' || REFUSED[name]?.includes(caller)) return false;
  try {
    demand(CALLERS[caller], access);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** What an API token needs for it; null where no token can have it. */
export function findTokenScope({ name, access }: Operation): string | null {
  if (REFUSED[name]?.includes('token')) return null;
  if (access === 'public') return 'any';
  return access.endsWith(':read') || access.endsWith(':write') ? access : null;
}
