import {
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isNullableType,
} from 'graphql';
import type { z } from 'zod';
import type { Access } from '../../auth/viewer.ts';
import {
  isLeaf,
  isPart,
  LEAF_TEXT,
  orNull,
  type Projection,
  type RowProjection,
  toJsonText,
  toTextList,
  toTextObject,
} from '../../db/json-projection.ts';
import { buildCount, buildPage, type PageArgs, type PageQuery } from '../../lists/page.ts';
import type { ListScope } from '../../lists/row-list.ts';
import { getFieldAccess } from '../field-access.ts';
import {
  type ListExtension,
  type RowExtension,
  type RowScope,
  toRelationArgs,
  toTotalCountSql,
} from '../list-fields.ts';
import { MAX_COUNT } from '../list-loaders.ts';
import type { CostExtension } from '../query-cost.ts';
import type { Variables } from '../variables.ts';
import { type ArgsSchema, createArgsSchemaParser, createInputParser } from '../zod-input.ts';
import { getArguments, type SelectedField, type Selection } from './selection.ts';

/** A selection that PostgreSQL cannot answer alone. Resolvers answer it. */
export class NotPlannable extends Error {
  /** The keys of the fields that lead to it, without those of connections and edges. */
  readonly path: string[] = [];
}

/** Adds the field to the path of a `NotPlannable`. */
function locate(field: SelectedField, render: () => string): string {
  try {
    return render();
  } catch (error) {
    if (error instanceof NotPlannable) error.path.unshift(field.key);
    throw error;
  }
}

/** What the fields of a statement share. */
export interface RenderScope extends Pick<RowScope, 'event' | keyof ListScope> {
  variables: Variables;
  nextAlias: () => string;
  /** Checks the access of a field. @throws if the viewer lacks it. */
  requireAccess: (access: Access) => void;
}

interface FieldExtensions {
  pothosExposedField?: string;
  /** What the field returns of the projection, if its resolver does more than expose it. */
  reads?: string;
  list?: ListExtension;
  row?: RowExtension;
  cost?: CostExtension;
}

const getExtensions = ({ extensions }: GraphQLField<unknown, unknown>) =>
  extensions as FieldExtensions;

/** Returns what a field reads of the projection of its type. Undefined for lists, rows and fields of resolvers alone. */
export function getProjectionPath(field: GraphQLField<unknown, unknown>): string | undefined {
  const { list, row, reads, pothosExposedField } = getExtensions(field);
  return list || row ? undefined : (reads ?? pothosExposedField);
}

/** Finds a value of a projection: by its key, or by the keys that lead to it, as in `location.name`. */
export function findInProjection(tree: Projection, path: string): Projection[string] | undefined {
  let value: Projection[string] | undefined = tree;
  for (const key of path.split('.')) {
    if (value == null || typeof value === 'string' || isLeaf(value) || isPart(value))
      return undefined;
    value = value[key];
  }
  return value;
}

export interface TypeExtensions {
  projection?: RowProjection;
}

/** Renders the SQL of the JSON value of a root field. @throws NotPlannable, and for missing access and invalid arguments. */
export const renderRootField = (field: SelectedField, scope: RenderScope): string =>
  locate(field, () => renderRoot(field, scope));

function renderRoot(field: SelectedField, scope: RenderScope): string {
  const { definition, selection } = field;
  if (definition === undefined || selection === null) throw new NotPlannable();
  authorize(definition, scope);
  const { list, row } = getExtensions(definition);
  if (list) return countPoints(definition, renderConnection(field, list, scope, undefined));
  if (row) return countPoints(definition, renderRows(field, row, scope, undefined));
  throw new NotPlannable();
}

function authorize(definition: GraphQLField<unknown, unknown>, scope: RenderScope): void {
  const declared = getFieldAccess(definition);
  if (declared) scope.requireAccess(declared.access);
}

function getProjection(type: GraphQLObjectType): RowProjection {
  const { projection } = type.extensions as TypeExtensions;
  if (projection === undefined) throw new NotPlannable();
  return projection;
}

/**
 * Begins each item of a list and stands for each point of a field, so that `planned-queries.ts` can count what a response
 * costs. Strings in JSON do not contain line breaks.
 */
export const ITEM_START = '\n';

function renderObject(
  { fields, type }: Selection,
  tree: Projection,
  scope: RenderScope,
  start = '',
): string {
  return toTextObject(
    fields.map((field) => [field.key, locate(field, () => renderField(field, type, tree, scope))]),
    start,
  );
}

function renderField(
  field: SelectedField,
  parent: GraphQLObjectType,
  tree: Projection,
  scope: RenderScope,
): string {
  const { definition } = field;
  if (definition === undefined) return renderTypeName(parent);
  authorize(definition, scope);
  return countPoints(definition, renderValue(field, definition, tree, scope));
}

/** Writes a line break for each point of a field. */
function countPoints(definition: GraphQLField<unknown, unknown>, sql: string): string {
  return writePoints(getExtensions(definition).cost?.points ?? 0, sql);
}

const writePoints = (points: number, sql: string) =>
  points > 0 ? `'${ITEM_START.repeat(points)}' || ${sql}` : sql;

function renderValue(
  field: SelectedField,
  definition: GraphQLField<unknown, unknown>,
  tree: Projection,
  scope: RenderScope,
): string {
  const { selection } = field;
  const { list, row } = getExtensions(definition);
  if (list) return renderList(field, list, scope, getExpression(tree, 'id'));
  if (row) return orNull(renderRows(field, row, scope, tree));
  const path = getProjectionPath(definition);
  const value = path === undefined ? undefined : findInProjection(tree, path);
  if (value === undefined) throw new NotPlannable();
  if (value === null) {
    if (!isNullableType(definition.type)) throw new NotPlannable();
    return `'null'`;
  }
  if (typeof value === 'string' || isLeaf(value)) {
    if (selection !== null) throw new NotPlannable();
    return renderLeaf(definition, typeof value === 'string' ? value : value.expression);
  }
  if (selection === null) throw new NotPlannable();
  const toObject = (tree: Projection) => renderObject(selection, tree, scope);
  if (!isPart(value)) return toObject(value);
  const toItem = (tree: Projection) => renderObject(selection, tree, scope, ITEM_START);
  return value.render({ isText: true, toObject, toItem, nextAlias: scope.nextAlias });
}

/** Returns the SQL of a value of a projection. */
function getExpression(tree: Projection, path: string): string {
  const value = findInProjection(tree, path);
  if (typeof value === 'string') return value;
  if (value != null && isLeaf(value)) return value.expression;
  throw new NotPlannable();
}

/** Renders the rows of a table: one object, or a list if the field answers several. */
function renderRows(
  field: SelectedField,
  { table, where, toOrder, needsRow }: RowExtension,
  scope: RenderScope,
  parent: Projection | undefined,
): string {
  const { definition, selection } = field;
  if (selection === null || definition === undefined) throw new NotPlannable();
  const row = scope.nextAlias();
  const given = getArguments(field, scope.variables);
  const args = parseArguments(definition, given) as Record<string, unknown>;
  const rowScope = { ...scope, parent: (key: string) => getExpression(parent ?? {}, key) };
  const conditions = where(row, args, rowScope);
  const rows = typeof table === 'string' ? table : table(args, rowScope);
  const from = `${rows} ${row} WHERE ${['true', ...conditions].join(' AND ')}`;
  const tree = getProjection(selection.type)(row, scope.viewer);
  const json = renderObject(selection, tree, scope, toOrder && ITEM_START);
  if (toOrder === undefined) return `(SELECT ${json} FROM ${from})`;
  const list = toTextList(json, from, toOrder(row));
  return needsRow?.(args) ? `(SELECT ${list} WHERE EXISTS (SELECT FROM ${from}))` : list;
}

/** Renders a list that belongs to a parent: a connection, or its first row if the field is of the type of the rows. */
function renderList(
  field: SelectedField,
  list: ListExtension,
  scope: RenderScope,
  parentId: string,
): string {
  const { selection } = field;
  if (selection === null) throw new NotPlannable();
  if (selection.type.extensions.projection === undefined)
    return renderConnection(field, list, scope, parentId);
  const { list: rows, toCondition } = list;
  const page = buildPage(rows, {}, { first: 1 }, scope, (row) =>
    toCondition ? [toCondition(row, parentId)] : [],
  );
  const row = scope.nextAlias();
  const json = renderObject(selection, getProjection(selection.type)(row, scope.viewer), scope);
  return orNull(
    `(SELECT ${json} FROM ${page.rows} ${row} ORDER BY ${page.toReadOrder(row)} LIMIT 1)`,
  );
}

const renderTypeName = ({ name }: GraphQLObjectType) => `'"${name}"'`;

/** Values of these scalars contain nothing that JSON escapes. */
const LEAF_KINDS: Record<string, keyof typeof LEAF_TEXT> = {
  ID: 'unescaped',
  DateTime: 'unescaped',
  Date: 'unescaped',
  Int: 'number',
  Float: 'number',
  Boolean: 'number',
};

function renderLeaf({ type }: GraphQLField<unknown, unknown>, expression: string): string {
  const named = getNamedType(type);
  if (!isLeafType(named)) throw new NotPlannable();
  const isList = isListType(isNonNullType(type) ? type.ofType : type);
  if (isEnumType(named)) {
    if (isList) throw new NotPlannable();
    return LEAF_TEXT.unescaped(renderEnum(named, expression));
  }
  const kind = isList ? undefined : LEAF_KINDS[named.name];
  return kind ? LEAF_TEXT[kind](expression) : toJsonText(expression);
}

/** Converts the value of an enum to its name. */
function renderEnum(type: GraphQLEnumType, sql: string): string {
  const values = type.getValues();
  if (values.every(({ name, value }) => name === String(value).toUpperCase()))
    return `upper((${sql})::text)`;
  const cases = values.map(({ name, value }) => {
    if (!/^\w+$/.test(String(value))) throw new NotPlannable();
    return `WHEN '${value}' THEN '${name}'`;
  });
  return `CASE (${sql})::text ${cases.join(' ')} END`;
}

function renderConnection(
  field: SelectedField,
  { list, toCondition }: ListExtension,
  scope: RenderScope,
  parentId: string | undefined,
): string {
  const { selection, definition } = field;
  if (selection === null || definition === undefined) throw new NotPlannable();
  const { filter = {}, ...given } = parseArguments(
    definition,
    getArguments(field, scope.variables),
  ) as PageArgs & { filter?: object };
  const args = toCondition ? toRelationArgs(given) : given;
  const toConditions = (row: string) =>
    toCondition && parentId ? [toCondition(row, parentId)] : [];
  const page = buildPage(list, filter ?? {}, args, scope, toConditions);
  const cte = scope.nextAlias();

  const toItems = (toJson: (row: string) => string) => {
    const row = scope.nextAlias();
    return toTextList(toJson(row), toPage(row), page.toResultOrder(row));
  };
  const toPage = (row: string) =>
    `(SELECT * FROM ${cte} ORDER BY ${page.toReadOrder(cte)} LIMIT ${page.limitSql}) ${row}`;
  const toNode = (selection: Selection, row: string, start?: string) =>
    renderObject(selection, getProjection(selection.type)(row, scope.viewer), scope, start);

  const toEdge = (selection: Selection, row: string) =>
    toTextObject(
      selection.fields.map(({ key, name, selection: node }) => {
        if (name === 'cursor') return [key, LEAF_TEXT.unescaped(toCursorSql(list.name, page, row))];
        if (name === 'node' && node !== null) return [key, toNode(node, row)];
        if (name === '__typename') return [key, renderTypeName(selection.type)];
        throw new NotPlannable();
      }),
      ITEM_START,
    );

  const toPageInfo = (selection: Selection) =>
    toTextObject(
      selection.fields.map(({ key, name }) => {
        const hasMore = `((SELECT count(*) FROM ${cte}) > ${page.limitSql})::text`;
        const isAfter = `'${args.after != null}'`;
        const isBefore = `'${args.before != null}'`;
        if (name === '__typename') return [key, renderTypeName(selection.type)];
        if (name === 'hasNextPage') return [key, page.isBackward ? isBefore : hasMore];
        if (name === 'hasPreviousPage') return [key, page.isBackward ? hasMore : isAfter];
        if (name !== 'startCursor' && name !== 'endCursor') throw new NotPlannable();
        const row = scope.nextAlias();
        const order = name === 'startCursor' ? page.toResultOrder(row) : page.toReverseOrder(row);
        return [
          key,
          orNull(
            `(SELECT ${LEAF_TEXT.unescaped(toCursorSql(list.name, page, row))} FROM ${toPage(row)} ORDER BY ${order} LIMIT 1)`,
          ),
        ];
      }),
    );

  const json = toTextObject(
    selection.fields.map((child): [string, string] => {
      const { key, name, selection: below } = child;
      if (name === '__typename') return [key, renderTypeName(selection.type)];
      if (below === null) throw new NotPlannable();
      if (name === 'edges') return [key, toItems((row) => toEdge(below, row))];
      if (name === 'nodes') return [key, toItems((row) => toNode(below, row, ITEM_START))];
      if (name === 'pageInfo') return [key, writePoints(1, toPageInfo(below))];
      if (name !== 'totalCount') throw new NotPlannable();
      const counted = buildCount(list, filter ?? {}, scope, MAX_COUNT + 1, toConditions);
      return [key, writePoints(1, renderTotalCount(below, counted, scope))];
    }),
  );
  return `(WITH ${cte} AS MATERIALIZED ${page.rows} SELECT ${json})`;
}

function renderTotalCount(selection: Selection, counted: string, { nextAlias }: RenderScope) {
  const alias = nextAlias();
  const pairs = selection.fields.map(({ key, name }): [string, string] => {
    if (name === '__typename') return [key, renderTypeName(selection.type)];
    const sql = toTotalCountSql(`${alias}.total`)[name];
    if (sql === undefined) throw new NotPlannable();
    return [key, toJsonText(sql)];
  });
  return `(SELECT ${toTextObject(pairs)} FROM (SELECT ${counted} AS total) ${alias})`;
}

/** The cursor as `encodePosition` writes it: base64url of a JSON array. */
function toCursorSql(list: string, page: PageQuery, row: string): string {
  const position = `'[' || to_json(${page.toKeySql(row)})::text || ',"' || ${row}.id || '","${list} ${page.order.name}"]'`;
  return `translate(encode(convert_to(${position}, 'UTF8'), 'base64'), E'+/=\\n', '-_')`;
}

type ParseArguments = (args: object) => object;
const parsers = new WeakMap<GraphQLField<unknown, unknown>, ParseArguments>();

/** Parses arguments as `ZodInputPlugin` does. */
function parseArguments(definition: GraphQLField<unknown, unknown>, args: object): object {
  const parse = parsers.get(definition) ?? createArgumentsParser(definition);
  parsers.set(definition, parse);
  return parse(args);
}

function createArgumentsParser({ args }: GraphQLField<unknown, unknown>): ParseArguments {
  const argsSchemas = new Set(
    args.flatMap(({ extensions }) => (extensions.argsSchema as ArgsSchema | undefined) ?? []),
  );
  const inputs = args.flatMap(({ name, type }) => {
    const { inputSchema } = getNamedType(type).extensions as { inputSchema?: z.ZodType };
    return inputSchema ? [createInputParser(name, inputSchema)] : [];
  });
  const parse = [...[...argsSchemas].map(createArgsSchemaParser), ...inputs];
  return (given) => parse.reduce((parsed, next) => next(parsed), given);
}
