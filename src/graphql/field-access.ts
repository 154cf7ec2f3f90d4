import type { GraphQLField } from 'graphql';
import type { Access } from '../auth/viewer.ts';

export interface FieldAccess {
  access: Access;
  /** Whether members without this access can read the field of some rows, which its resolver decides. */
  dependsOnRow: boolean;
}

type DeclaredField = Pick<GraphQLField<unknown, unknown>, 'name' | 'extensions'>;

interface Extensions {
  /** An access that is sufficient for every row. Members without it can have access to some rows. */
  sufficientAccess?: Access;
  pothosOptions?: { authScopes?: { access?: Access } | ((...args: never[]) => unknown) };
}

/** Returns the access that a field declares. Null for a field that everyone can read who reads its object. */
export function getFieldAccess(field: DeclaredField): FieldAccess | null {
  const { sufficientAccess, pothosOptions } = field.extensions as Extensions;
  const authScopes = pothosOptions?.authScopes;
  if (authScopes === undefined) return null;
  const isRule = typeof authScopes === 'function';
  const access = isRule ? sufficientAccess : authScopes.access;
  if (access === undefined)
    throw new Error(
      `The field ${field.name} has a rule for its access; add sufficientAccess to its extensions`,
    );
  return { access, dependsOnRow: isRule };
}
