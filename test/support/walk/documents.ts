import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { type Access, hasAccess, type Viewer } from '../../../src/auth/viewer.ts';
import { schema } from '../../../src/graphql/schema.ts';

// Writes the documents of a walk from the schema: every field of every object that is at most two steps away, and one step more
// behind objects that no root field returns.

type Field = GraphQLField<unknown, unknown>;

/** The arguments of fields that need some or show more with some, by coordinate such as `Query.booking`. */
export type Arguments = Record<string, string>;

/** A path of fields from a root field, and what it selects of the object at its end. */
interface Group {
  /** The names of the fields, such as `orders.member`. */
  key: string;
  /** The fields with their arguments, and the `nodes` of connections. */
  path: string[];
  selections: string[];
}

export interface WalkDocument {
  text: string;
  groups: Group[];
}

export const MAX_FIELDS = 170; // The service accepts 200.

const isConnection = (type: GraphQLObjectType) => type.name.endsWith('Connection');

const isPage = (outputType: GraphQLOutputType) =>
  getNamedType(outputType).name.endsWith('Connection');

/** The type of the objects of a field, without lists and pages. */
export function getObjectType(outputType: GraphQLOutputType): GraphQLObjectType | undefined {
  const type = getNamedType(outputType);
  if (!isObjectType(type)) return undefined;
  return isConnection(type) ? getObjectType(type.getFields().nodes?.type ?? type) : type;
}

const listFields = (type: GraphQLObjectType): Field[] => Object.values(type.getFields());

/**
 * Returns the fields of objects that lead to no others, such as an amount of money, which are read together with their parent.
 * Null for types that lead to others.
 */
export function selectValue(type: GraphQLObjectType, levels = 2): string | null {
  const selections = listFields(type).map((field) => {
    const target = getObjectType(field.type);
    if (target === undefined) return field.name;
    const below = levels > 0 ? selectValue(target, levels - 1) : null;
    return below && `${field.name} ${below}`;
  });
  return selections.includes(null) ? null : `{ ${selections.join(' ')} }`;
}

/** Whether the field declares an access that the caller lacks. The authorization matrix shows that it is then rejected. */
function isDeclaredDenied({ extensions }: Field, viewer: Viewer): boolean {
  const { authScopes } = (extensions.pothosOptions ?? {}) as { authScopes?: { access?: Access } };
  return authScopes?.access !== undefined && !hasAccess(viewer, authScopes.access);
}

// Few, since documents with ids read many rows of each type.
const PAGE_SIZES = ['first: 2', 'first: 2', 'first: 1'];
const MAX_STEPS = 2;

/**
 * Returns documents that select all fields that a caller can select, with at most `maxSteps` steps. `denied` are the paths that the
 * service rejected although the fields do not declare it.
 */
export function writeDocuments(
  viewer: Viewer,
  args: Arguments,
  denied: ReadonlySet<string>,
  maxSteps = MAX_STEPS,
): WalkDocument[] {
  const entered = new Set<string>();
  const roots = listFields(schema.getQueryType() as GraphQLObjectType).filter(
    (root) => !isDeclaredDenied(root, viewer) && !isInterfaceType(getNamedType(root.type)),
  );
  const rootTypes = new Set(roots.map(({ type }) => getObjectType(type)?.name));
  // Lists show more than one object, so they come first.
  const lists = roots.filter(({ type }) => isPage(type));
  return [...lists, ...roots.filter((root) => !lists.includes(root))].flatMap((root) => {
    const type = getObjectType(root.type);
    // The paths behind an object are the same whichever root field finds it, so that one of them is enough.
    const steps = type && !entered.has(type.name) ? maxSteps : 1;
    if (type) entered.add(type.name);
    const groups = listGroups(root, [], [], steps).filter(
      ({ key }) => ![...denied].some((path) => key === path || key.startsWith(`${path}.`)),
    );
    return packGroups(groups);
  });

  function listGroups(field: Field, names: string[], path: string[], steps: number): Group[] {
    const type = getObjectType(field.type);
    const key = [...names, field.name];
    const call = toCall(field, key.length === 1 ? 'Query' : parentOf(names), args, names.length);
    if (type === undefined) return [{ key: key.join('.'), path, selections: [call] }];
    const here = [...path, call];
    const below = isPage(field.type) ? [...here, 'nodes'] : here;
    const fields = listFields(type).filter((inner) => !isDeclaredDenied(inner, viewer));
    const groups: Group[] = [
      { key: key.join('.'), path: below, selections: listValues(type, fields) },
    ];
    if (isPage(field.type) && path.length === 0)
      groups.push({ key: key.join('.'), path: here, selections: PAGE_FIELDS });
    const isLastChance = key.length === maxSteps && !rootTypes.has(type.name);
    if (steps > 1 || isLastChance) {
      for (const inner of fields) {
        const target = getObjectType(inner.type);
        if (target === undefined || selectValue(target) !== null) continue;
        groups.push(...listGroups(inner, key, below, steps - 1));
      }
    }
    return groups;
  }

  function listValues(type: GraphQLObjectType, fields: Field[]): string[] {
    return fields.flatMap((field) => {
      const call = toCall(field, type.name, args, 0);
      const target = getObjectType(field.type);
      if (target === undefined) return [call];
      const below = selectValue(target);
      return below === null ? [] : [`${call} ${below}`];
    });
  }
}

const PAGE_FIELDS = [
  'edges { cursor node { __typename } }',
  'totalCount { value isExact text }',
  'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }',
];

/** The type of the objects at the end of a path of field names. */
function parentOf(names: string[]): string {
  let type = schema.getQueryType() as GraphQLObjectType;
  for (const name of names)
    type = getObjectType(type.getFields()[name]?.type as GraphQLOutputType) as GraphQLObjectType;
  return type.name;
}

function toCall(field: Field, parent: string, args: Arguments, level: number): string {
  const given = args[`${parent}.${field.name}`];
  const page = isPage(field.type) ? PAGE_SIZES[level] : undefined;
  const all = [page, given].filter((text) => text !== undefined).join(', ');
  return all === '' ? field.name : `${field.name}(${all})`;
}

type Tree = Map<string, Tree>;

interface OpenDocument {
  tree: Tree;
  groups: Group[];
  size: number;
}

/** Merges the groups of one root field into as few documents as the service's limit allows. */
function packGroups(groups: Group[]): WalkDocument[] {
  const documents: OpenDocument[] = [];
  for (const group of groups) {
    const last = documents.at(-1);
    const added = last && countNew(last.tree, group);
    const document: OpenDocument =
      last && added !== undefined && last.size + added <= MAX_FIELDS
        ? last
        : { tree: new Map(), groups: [], size: 0 };
    if (document !== last) documents.push(document);
    document.size += countNew(document.tree, group);
    document.groups.push(group);
    let tree = document.tree;
    for (const step of group.path) tree = getOrAdd(tree, step);
    for (const selection of group.selections) getOrAdd(tree, selection);
  }
  return documents.map(({ tree, groups }) => ({ text: `{ ${printTree(tree)} }`, groups }));
}

function getOrAdd(tree: Tree, key: string): Tree {
  const known = tree.get(key) ?? new Map();
  tree.set(key, known);
  return known;
}

function countNew(tree: Tree, { path, selections }: Group): number {
  let count = 0;
  let at: Tree | undefined = tree;
  for (const step of path) {
    at = at?.get(step);
    if (at === undefined) count += 1;
  }
  return count + selections.reduce((sum, text) => sum + countFields(text), 0);
}

/** Counts the names in a selection, of which some are arguments. */
export const countFields = (selection: string) => selection.match(/[a-z]\w*/g)?.length ?? 0;

const printTree = (tree: Tree): string =>
  [...tree]
    .map(([key, below]) => (below.size === 0 ? key : `${key} { ${printTree(below)} }`))
    .join(' ');
