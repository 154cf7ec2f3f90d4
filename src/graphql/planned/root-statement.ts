import { requireAccess } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { createAliases } from '../../db/json-projection.ts';
import {
  createParameters,
  type Parameters,
  preparePlannedStatement,
  type Statement,
} from '../../db/prepared-statement.ts';
import type { Variables } from '../variables.ts';
import { renderRootField } from './render-sql.ts';
import type { SelectedField } from './selection.ts';

/** The statement that reads a root field. */
export interface RootStatement {
  /** The key of the field in the response. */
  key: string;
  text: string;
  parameters: Parameters;
}

/**
 * Renders the statement of a root field for the viewer of the context. The root field of a subscription has an event.
 * @throws NotPlannable, and for missing access and invalid arguments.
 */
export function renderRootStatement(
  ctx: Context,
  field: SelectedField,
  variables: Variables,
  event?: unknown,
): RootStatement {
  const parameters = createParameters();
  const { bind, requireCustomPlan } = parameters;
  const now = bind(ctx.now(), 'timestamptz');
  const sql = renderRootField(field, {
    viewer: ctx.viewer,
    now: ctx.now,
    hasMailServer: ctx.hasMailServer,
    payments: ctx.payments,
    bind,
    requireCustomPlan,
    variables,
    event,
    nextAlias: createAliases(),
    requireAccess: (access) => requireAccess(ctx.viewer, access),
  });
  return {
    key: field.key,
    text: `SELECT ${sql} AS json FROM (SELECT ${now} AS now) clock`,
    parameters,
  };
}

/** A root field that can be read. */
export interface PreparedField {
  key: string;
  statement: Statement;
  values: unknown[];
}

export const prepareRootField = ({ key, text, parameters }: RootStatement): PreparedField => ({
  key,
  statement: preparePlannedStatement(text, parameters),
  values: parameters.values,
});

/** Returns the key and the value of a root field as JSON. Null if the field has no value. */
export async function readRootField(
  ctx: Context,
  { key, statement, values }: PreparedField,
): Promise<string | null> {
  const [row] = await ctx.pipelinedSql<{ json: string | null }>(statement, values);
  return row?.json == null ? null : `${JSON.stringify(key)}:${row.json}`;
}
