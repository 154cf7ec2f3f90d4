import { LRUCache } from 'lru-cache';
import { toCallerKey, type Viewer } from '../auth/viewer.ts';
import { DomainError } from '../errors.ts';

/** The budget of a caller after a query, as `extensions.cost` shows it. All but `requested` and `actual` are the caller's. */
interface QueryCost {
  requested: number;
  actual: number;
  budget: number;
  remaining: number;
  restoredPerSecond: number;
}

/** A query that has been charged and not yet settled. */
export interface Charge {
  requested: number;
  /** Replaces what was requested with what the query has cost. Call it once. */
  settle(actual: number): QueryCost;
  /** Gives this charge back for another one. @throws RATE_LIMITED, and keeps this charge, if the budget is not enough for the other. */
  replace(requested: number): Charge;
}

/** The points that each caller can spend on queries. */
export interface QueryBudget {
  /** Charges a query before it is executed. @throws RATE_LIMITED, and charges nothing, beyond the caller's budget. */
  charge(viewer: Viewer, address: string, requested: number): Charge;
}

export interface QueryBudgetConfig {
  /** For each token, device or signed-in person. It is also the most that they can spend at once. */
  pointsPerMinute: number;
  /** For each address of anonymous callers. */
  anonymousPointsPerMinute: number;
}

/** What a caller has spent and not got back yet. */
interface Spending {
  points: number;
  at: number;
}

const MAX_CALLERS = 50_000;
const SECONDS_PER_MINUTE = 60;

/**
 * Creates budgets that start full and are refilled continuously. They are counted in the memory of this instance, whose
 * processor and connections they protect.
 */
export function createQueryBudget(
  { pointsPerMinute, anonymousPointsPerMinute }: QueryBudgetConfig,
  now: () => Date,
  onReject: () => void = () => {},
): QueryBudget {
  const spendings = new LRUCache<string, Spending>({
    maxSize: MAX_CALLERS,
    sizeCalculation: () => 1,
  });

  return {
    charge: (viewer, address, requested) => {
      assertPoints(requested);
      const key = toCallerKey(viewer, address);
      const budget = viewer.kind === 'anonymous' ? anonymousPointsPerMinute : pointsPerMinute;
      const restoredPerSecond = budget / SECONDS_PER_MINUTE;

      const getSpent = (at: number): number => {
        const { points, at: since } = spendings.get(key) ?? { points: 0, at };
        return Math.max(0, points - (Math.max(0, at - since) / 1000) * restoredPerSecond);
      };
      const setSpent = (points: number, at: number) => void spendings.set(key, { points, at });

      const reserve = (requested: number, returned: number): Charge => {
        const at = now().getTime();
        const remaining = Math.max(0, budget - getSpent(at));
        if (requested > remaining + returned) {
          onReject();
          throw budgetExceeded(requested, budget, remaining, restoredPerSecond);
        }
        setSpent(Math.max(0, budget - remaining - returned + requested), at);
        return {
          requested,
          settle: (actual) => {
            const at = now().getTime();
            const spent = Math.max(0, getSpent(at) + actual - requested);
            setSpent(spent, at);
            return {
              requested,
              actual,
              budget,
              remaining: Math.max(0, Math.floor(budget - spent)),
              restoredPerSecond: Math.round(restoredPerSecond),
            };
          },
          replace: (other) => {
            assertPoints(other);
            return reserve(other, requested);
          },
        };
      };
      return reserve(requested, 0);
    },
  };
}

/** NaN would never exceed the budget again, and a negative number would enlarge it. */
function assertPoints(requested: number): void {
  if (!Number.isFinite(requested) || requested < 0)
    throw new RangeError(`A query cannot cost ${requested} points.`);
}

function budgetExceeded(
  requested: number,
  budget: number,
  remaining: number,
  restoredPerSecond: number,
): DomainError {
  const retryAfterSeconds = Math.max(1, Math.ceil((requested - remaining) / restoredPerSecond));
  const wait = retryAfterSeconds === 1 ? 'a second' : `${retryAfterSeconds} seconds`;
  return new DomainError(
    'RATE_LIMITED',
    `The request costs ${format(requested)} points, but only ${format(remaining)} of your ${format(budget)} are left. Try again in ${wait}, or request smaller pages.`,
    { reason: 'QUERY_BUDGET_EXCEEDED', retryAfterSeconds, limit: budget },
  );
}

const format = (points: number) => Math.floor(points).toLocaleString('en');
