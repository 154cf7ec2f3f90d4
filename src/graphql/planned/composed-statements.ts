import { Kind, type OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Viewer } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Statement } from '../../db/prepared-statement.ts';
import type { Variables } from '../variables.ts';
import type { PreparedField } from './root-statement.ts';

// Composing the SQL of a response takes as long as all else that a planned request needs. The text depends on the selection, on
// what the caller may read, and on which variables are given; it hardly ever depends on the caller or on an id. So it is composed
// once more with stand-ins for those values: if the text stays the same, it is kept, and later requests only bind their values.
//
// Nothing here decides who may read what: the caller was authenticated for this request, and callers with other scopes or another
// role have texts of their own.

type Compose = (ctx: Context, variables: Variables) => PreparedField[];

/** Where a parameter comes from. */
type Source =
  | { kind: 'now' }
  | { kind: 'viewer' | 'variable'; name: string }
  | { kind: 'constant'; value: unknown };

type ComposedField = Pick<PreparedField, 'key'> & { statement: Statement; sources: Source[] };

/** `once`: requested a single time. `never`: the text depends on the values. */
type Entry = ComposedField[] | 'once' | 'never';

const MAX_ENTRIES = 500;
const MAX_KEY_LENGTH = 1_000;

export function createComposedStatements() {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });

  /** Returns the statements of a request, as `compose` does. `plan` identifies what is selected. */
  return function composeOnce(
    plan: string,
    ctx: Context,
    { variables, idVariables }: { variables: Variables; idVariables: readonly string[] },
    compose: Compose,
  ): PreparedField[] {
    const access = describeAccess(ctx.viewer);
    const ids = access === null ? null : readIds(variables, idVariables);
    if (ids === null || isOwnId(ctx.viewer, ids)) return compose(ctx, variables);
    const others = JSON.stringify({ ...variables, ...blankOut(ids) });
    const key = `${plan} ${access} ${others}`;
    if (key.length > MAX_KEY_LENGTH) return compose(ctx, variables);
    const entry = entries.get(key);
    if (entry === 'never') return compose(ctx, variables);
    if (Array.isArray(entry)) return bindFields(entry, ctx, variables);
    const fields = compose(ctx, variables);
    entries.set(
      key,
      entry === 'once' ? (generalize(fields, ctx, variables, ids, compose) ?? 'never') : 'once',
    );
    return fields;
  };
}

/** Returns the names of the variables that are one id. Texts do not depend on which. */
export const findIdVariables = ({ variableDefinitions = [] }: OperationDefinitionNode): string[] =>
  variableDefinitions.flatMap(({ variable, type }) => {
    const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    return named.kind === Kind.NAMED_TYPE && named.name.value === 'ID' ? variable.name.value : [];
  });

/** Everything of a caller that decides what they may read, other than which rows are their own. Null for rare callers. */
function describeAccess(viewer: Viewer): string | null {
  if (viewer.kind === 'token') return `token ${viewer.scopes.join()}`;
  if (viewer.kind === 'staff') return `staff ${viewer.role}`;
  return viewer.kind === 'member' || viewer.kind === 'anonymous' ? viewer.kind : null;
}

const CANONICAL_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the variables that are ids, or null if one of them is not in the form that the database returns. */
function readIds(variables: Variables, names: readonly string[]): Record<string, string> | null {
  const ids: Record<string, string> = {};
  for (const name of names) {
    const value = variables[name];
    if (value == null) continue;
    if (typeof value !== 'string' || !CANONICAL_ID.test(value)) return null;
    ids[name] = value;
  }
  return ids;
}

/** Rules can depend on whether a row is the caller's own. */
const isOwnId = (viewer: Viewer, ids: Record<string, string>) =>
  'id' in viewer && Object.values(ids).includes(viewer.id);

const blankOut = (ids: Record<string, string>) =>
  Object.fromEntries(Object.keys(ids).map((name) => [name, 'id']));

/** The values in the same order for each statement. */
const bindFields = (
  fields: ComposedField[],
  ctx: Context,
  variables: Variables,
): PreparedField[] => {
  const now = ctx.now();
  return fields.map(({ key, statement, sources }) => ({
    key,
    statement,
    values: sources.map((source) => resolve(source, { now, viewer: ctx.viewer, variables })),
  }));
};

interface Values {
  now: Date;
  viewer: Viewer;
  variables: Variables;
}

function resolve(source: Source, { now, viewer, variables }: Values): unknown {
  if (source.kind === 'now') return now;
  if (source.kind === 'constant') return source.value;
  const from = source.kind === 'viewer' ? viewer : variables;
  return (from as Record<string, unknown>)[source.name];
}

/** Finds where each parameter comes from, by composing with stand-ins. Returns null if the text or a value depends on others. */
function generalize(
  fields: PreparedField[],
  ctx: Context,
  variables: Variables,
  ids: Record<string, string>,
  compose: Compose,
): ComposedField[] | null {
  const standIns = createStandIns(ctx.viewer, variables, ids);
  const { now, viewer } = standIns;
  let others: PreparedField[];
  try {
    others = compose({ ...ctx, viewer, now: () => now }, standIns.variables);
  } catch {
    return null; // something is checked that a stand-in does not pass
  }
  const composed: ComposedField[] = [];
  for (const [index, { key, statement, values }] of fields.entries()) {
    const other = others[index];
    if (other?.statement !== statement || other.values.length !== values.length) return null;
    const sources = values.map((value, nth) => findSource(value, other.values[nth], standIns, ids));
    if (!sources.every((source) => source !== null)) return null;
    composed.push({ key, statement, sources });
  }
  return composed;
}

interface StandIns extends Values {
  /** By the stand-in. */
  sources: Map<unknown, Source>;
}

/** No row has such an id, and no clock shows that time. */
const toStandInId = (nth: number) => `00000000-0000-7000-8000-${String(nth).padStart(12, '0')}`;
const STAND_IN_TIME = Date.UTC(1971, 5, 5, 5, 5, 5, 555);

function createStandIns(
  viewer: Viewer,
  variables: Variables,
  ids: Record<string, string>,
): StandIns {
  const sources = new Map<unknown, Source>();
  const replace = (kind: 'viewer' | 'variable', names: string[]) =>
    Object.fromEntries(
      names.map((name) => {
        const standIn = toStandInId(sources.size);
        sources.set(standIn, { kind, name });
        return [name, standIn];
      }),
    );
  const personal = ['id', 'name', 'sessionId'].filter((name) => name in viewer);
  return {
    now: new Date(STAND_IN_TIME),
    viewer: { ...viewer, ...replace('viewer', personal) } as Viewer,
    variables: { ...variables, ...replace('variable', Object.keys(ids)) },
    sources,
  };
}

function findSource(
  value: unknown,
  other: unknown,
  { sources }: StandIns,
  ids: Record<string, string>,
): Source | null {
  if (other instanceof Date && other.getTime() === STAND_IN_TIME) return { kind: 'now' };
  const source = sources.get(other);
  if (source?.kind === 'variable') return ids[source.name] === value ? source : null;
  if (source) return source;
  return JSON.stringify(value) === JSON.stringify(other) ? { kind: 'constant', value } : null;
}
