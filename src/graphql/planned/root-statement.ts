import { requireAccess } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { createAliases } from '../../db/json-projection.ts';
import {
  createParameters,
  type Parameters,
  preparePlannedStatement,
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

/** Returns the key and the value of a root field as JSON. Null if the field has no value. */
export async function readRootField(
  ctx: Context,
  { key, text, parameters }: RootStatement,
): Promise<string | null> {
  const [row] = await ctx.pipelinedSql<{ json: string | null }>(
    preparePlannedStatement(text, parameters),
    parameters.values,
  );
  return row?.json == null ? null : `${JSON.stringify(key)}:${row.json}`;
}
