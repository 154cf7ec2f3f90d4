import { LRUCache } from 'lru-cache';

/** An SQL statement with the parameters $1, $2 and so on. If it has a name, each connection prepares it once. */
export interface Statement {
  name?: string;
  text: string;
  /**
   * Whether PostgreSQL plans it for its values each time. The others have one plan for all values, which saves the planning,
   * but knows nothing about how many rows the values select.
   */
  needsCustomPlan?: boolean;
}

/** Runs a statement and returns its rows. Use it only where Prisma is too slow or cannot express the statement. */
export type Sql = <Row>(statement: Statement, values: unknown[]) => Promise<Row[]>;

/** Prisma writes instants without an offset, which a server in another time zone would misinterpret. */
export const SET_TIME_ZONE_UTC = "SET TIME ZONE 'UTC'";

const fixedStatements = new Map<string, Statement>();

/** Names a statement whose text is part of the source code, so that connections prepare it. */
export function prepareStatement(text: string): Statement {
  const known = fixedStatements.get(text);
  if (known) return known;
  const statement = { name: `foyer_${fixedStatements.size}`, text };
  fixedStatements.set(text, statement);
  return statement;
}

/** Returns the name of a statement that `prepareStatement` has named. */
export const getStatementName = (text: string): string | undefined =>
  fixedStatements.get(text)?.name;

/** The most statements with composed texts that are named at a time. Each connection prepares twice as many at most. */
export const MAX_COMPOSED_STATEMENTS = 500;

/**
 * Creates a function that names statements whose texts are composed for requests, such as lists with filters. Texts must not
 * contain values. It discards the texts that have not been used for longest, and never uses a name again.
 */
export function createStatementCache(
  prefix: string,
  max = MAX_COMPOSED_STATEMENTS,
): (text: string, parameters?: Pick<Parameters, 'needsCustomPlan'>) => Statement {
  const cache = new LRUCache<string, Statement>({ max });
  let count = 0;
  return (text, { needsCustomPlan } = { needsCustomPlan: false }) => {
    const key = `${needsCustomPlan} ${text}`;
    const known = cache.get(key);
    if (known) return known;
    const statement = { name: `${prefix}_${count}`, text, needsCustomPlan };
    count += 1;
    cache.set(key, statement);
    return statement;
  };
}

/** Names the statements of lists. */
export const prepareListStatement = createStatementCache('list');

/** Names the statements of planned queries and subscriptions. */
export const preparePlannedStatement = createStatementCache('planned');

/** Adds a value to the parameters of a statement and returns its placeholder, such as `$1::int`. */
export type Bind = (value: unknown, type: string) => string;

export interface Parameters {
  values: unknown[];
  bind: Bind;
  /** Has the whole statement planned for its values each time. */
  requireCustomPlan: () => void;
  readonly needsCustomPlan: boolean;
}

/** Collects the values of a statement while its text is built, and how it is planned. */
export function createParameters(): Parameters {
  const values: unknown[] = [];
  let needsCustomPlan = false;
  return {
    values,
    bind: (value, type) => `$${values.push(value)}::${type}`,
    requireCustomPlan: () => {
      needsCustomPlan = true;
    },
    get needsCustomPlan() {
      return needsCustomPlan;
    },
  };
}
