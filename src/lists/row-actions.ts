import { type Access, hasAccess } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { createParameters, prepareListStatement } from '../db/prepared-statement.ts';
import type { ListScope } from './row-list.ts';

/** What decides about actions besides the row. */
type ActionScope = Pick<ListScope, 'viewer' | 'payments' | 'bind'>;

/** What the viewer can do with one row: whether each mutation would succeed now and change something. */
export type Allowed<Action extends string> = { id: string } & Record<Action, boolean>;

/** Finds what a viewer can do with rows. The commands check this again. */
export interface RowActions<Action extends string> {
  /** Unknown ids are left out. */
  findByIds(ctx: Context, ids: string[]): Promise<Allowed<Action>[]>;
  /** Returns a subquery with a row for each row of the table: its id, and a boolean for each action. */
  toTable?(scope: ActionScope): string;
}

interface ActionRules<Action extends string> {
  table: string;
  /** The access of the mutations. Without it, the viewer can do nothing. */
  access: Access;
  /** Returns the SQL condition of each action for the row with this alias. `clock.now` is the current time. */
  toConditions(row: string, scope: ActionScope): Record<Action, string>;
}

/** Describes the actions on the rows of a table. */
export function defineRowActions<Action extends string>({
  table,
  access,
  toConditions,
}: ActionRules<Action>): RowActions<Action> & Required<Pick<RowActions<Action>, 'toTable'>> {
  const toTable = (scope: ActionScope) => {
    const canAct = hasAccess(scope.viewer, access);
    // A value that is bound must be part of the statement.
    const conditions = toConditions('acted', canAct ? scope : { ...scope, bind: () => 'NULL' });
    const columns = Object.entries<string>(conditions).map(
      ([action, condition]) =>
        `${canAct ? `coalesce(${condition}, false)` : 'false'} AS "${action}"`,
    );
    return `(SELECT acted.id, ${columns.join(', ')} FROM ${table} acted)`;
  };
  return {
    toTable,
    findByIds(ctx, ids) {
      const parameters = createParameters();
      const { bind } = parameters;
      const text = `SELECT allowed.* FROM (SELECT ${bind(ctx.now(), 'timestamptz')} AS now) clock
        CROSS JOIN LATERAL ${toTable({ ...ctx, bind })} allowed WHERE allowed.id = ANY (${bind(ids, 'uuid[]')})`;
      return ctx.pipelinedSql(prepareListStatement(text, parameters), parameters.values);
    },
  };
}
