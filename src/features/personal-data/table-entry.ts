import { toSnakeCase } from '../../core/letter-case.ts';
import type { AnyRow, ErasureKind } from '../../rows/row.ts';
import type { PolicyKey } from './policies.ts';

/** How long rows are stored: for a special reason, by a policy that owners can change, or by a job with a fixed period. */
export type Retention =
  | { keep: string }
  | { policy: PolicyKey; alsoPurgedBy?: FixedPeriod }
  | FixedPeriod;

interface FixedPeriod {
  job: string;
  period: string;
}

export interface TableEntry {
  /** Every text or JSON column. A test compares them with the database. */
  columns: Record<string, ErasureKind>;
  retention: Retention;
  /** SQL condition for the rows `t` of the person `p`, whose columns are in `person.ts`. */
  find?: string;
  /** SQL condition for a person who is searched by name alone. If absent, no row matches. */
  findByName?: string;
  /** Whether erasing deletes these rows. Otherwise it changes their columns. */
  isDeleted?: true;
}

export const UNTIL_STAFF_DELETES = 'Until staff delete it.';
export const LIKE_PARENT = 'As long as its parent row.';
export const RETAINED_FOR_ACCOUNTING = 'Retained for accounting.';
export const RETAINED_AS_COUNTER = 'Retained: counters without personal data.';

/** The columns of a described row. */
export const toErasureKinds = ({ columns }: AnyRow): Record<string, ErasureKind> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, { erasure }]) =>
      erasure ? [[toSnakeCase(name), erasure]] : [],
    ),
  );
