/**
 * The filters, for each sort key, that limit the sort key itself, so that its index serves them. `test/db/query-plans.test.ts`
 * checks it. See `chooseQueryPlan`.
 */
export type SharedQueryPlans<Key extends string = string> = { [key in Key]?: readonly string[] };

/** `shared`: one plan for all values. `values`: planned for the values. `found first`: also, and the rows are sorted. */
export type QueryPlanChoice = 'shared' | 'values' | 'found first';

/** Ranges, ids of those whose rows are not the owner's, such as an event's on a waiting list of its ticket types, and how was paid. */
const FOUND_FIRST = /^(from|to|paidBy)$|(From|To|On|Id)$/;
/** An index has each of these before the order, so that it serves one value, but not several. */
const INDEXED = new Set(['payment']);
const CREATION = { CREATED_AT: ['createdFrom', 'createdTo'] };

/**
 * Chooses how a page with this filter in this order is planned. A count has no order.
 *
 * A plan for all values assumes that a filter selects a fixed share of the rows. It then reads the rows in the order of the list
 * until enough of them match, which is the whole table if none does. So only the filter by an owner and those that limit the sort
 * key share a plan.
 *
 * A plan for the values knows how many rows match, but not where they are: PostgreSQL assumes that the rows of a range are spread
 * evenly over any other order. So these are found first.
 */
export function chooseQueryPlan(
  { sharedQueryPlans }: { sharedQueryPlans?: SharedQueryPlans | undefined },
  filter: object,
  { sortKey, hasOwner }: { sortKey: string | undefined; hasOwner: boolean },
): QueryPlanChoice {
  const plans: SharedQueryPlans[] = [CREATION, sharedQueryPlans ?? {}];
  const served = sortKey === undefined ? [] : plans.flatMap((plan) => plan[sortKey] ?? []);
  const others = Object.entries(filter).filter(
    ([name, value]) =>
      value != null && !served.includes(name) && !(hasOwner && name.endsWith('Id')),
  );
  if (others.length === 0) return 'shared';
  const isFoundFirst = others.some(
    ([name, value]) => FOUND_FIRST.test(name) || (INDEXED.has(name) && hasSeveral(value)),
  );
  return isFoundFirst ? 'found first' : 'values';
}

const hasSeveral = (value: unknown) => Array.isArray(value) && value.length > 1;

/** The conditions of a page, and the column that its order begins with. */
interface OwnedRows {
  where: string[];
  /** Null if the rows do not belong to one owner. */
  ownerColumn: string | null;
}

/**
 * A condition by an owner, with the column and the value: a parameter, a column of another row, or the column of a row with an id. It is
 * written anew, so that it matches only as a whole. Any other condition, such as one with OR, stays as it is.
 */
const BELONGS_TO =
  /^listed\.(\w+_id) = (\$\d+::uuid|\w+\.\w+|\(SELECT \w+ FROM \w+ WHERE id = \w+\.id\))$/;

/**
 * Finds the condition that selects the rows of one owner, such as those of a member. If the order begins with the column of the
 * owner, PostgreSQL reads the rows of the owner, by an index that continues with the sort key if there is one. Otherwise it could
 * read the rows of all owners in the order of the list, which is the whole table for an owner without rows. It ignores a column
 * that is equal to a value in an order, but not one that is equal to any value of an array.
 */
export function findOwner(
  conditions: readonly string[],
  parentConditions: readonly string[] = [],
): OwnedRows {
  // The rows of a parent that is no owner are fewer than those of an owner in the filter.
  if (!parentConditions.every((condition) => BELONGS_TO.test(condition)))
    return { where: [...conditions], ownerColumn: null };
  const matches = conditions.map((condition) => BELONGS_TO.exec(condition));
  const [ownerColumn = null, other] = new Set(matches.flatMap((match) => match?.[1] ?? []));
  // PostgreSQL chooses which of two owners has fewer rows.
  if (ownerColumn === null || other !== undefined)
    return { where: [...conditions], ownerColumn: null };
  const where = conditions.map((condition, n) => {
    const [, column, owner] = matches[n] ?? [];
    return owner !== undefined ? `listed.${column} = ANY (ARRAY[${owner}])` : condition;
  });
  return { where, ownerColumn };
}
