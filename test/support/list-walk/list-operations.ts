import type pg from 'pg';
import { type Example, findExamples } from './argument-examples.ts';
import { findFieldById, findListFields, findNodeTables, type ListField } from './list-fields.ts';

/** A page of a list that is read. */
export interface ListOperation {
  /** Such as `Location.bookings(from: now, CREATED_AT_ASC, first) of a busy one`. */
  name: string;
  query: string;
  variables: Record<string, unknown>;
}

const PAGE_SIZE = 20;

/**
 * Writes a query for every list of the schema, at the root and below the object with most and fewest rows: in each order, read
 * from both ends, and with each value of each filter.
 */
export async function writeListOperations(
  pool: pg.Pool,
  at: Date,
  { only, isBrief = false }: WalkOptions = {},
): Promise<ListOperation[]> {
  const operations: ListOperation[] = [];
  for (const field of findListFields().filter(({ name }) => only?.includes(name) ?? true)) {
    const filters = await listFilters(pool, at, field);
    const isLeftOut = field.parent === null ? REPEATED : REPEATED_BELOW;
    const brief = filters.filter(({ label }) => !isBrief || !isLeftOut.test(label));
    for (const parent of await findParents(pool, field))
      for (const filter of brief) operations.push(...writePages(field, filter, parent));
  }
  return isBrief ? operations.filter(({ name }) => !/, last\)/.test(name)) : operations;
}

interface WalkOptions {
  /** The names of the fields. */
  only?: readonly string[];
  /** Leaves out values that lead to the same plans as others, and the pages from the end. */
  isBrief?: boolean;
}

const REPEATED = /^(?!.*a week).*: (14 days ago|in 30 days|unknown|rare)$/;
const REPEATED_BELOW =
  /Ids?: |^(?!.*a week).*: (14 days ago|in 30 days)$|a week from in|q: (zq|mar|O0)/;

/** The beginnings of the weeks that are filtered by both ends: an old one, the current one, and one without rows. */
const PERIODS = ['1250 days ago', 'now', 'in 9000 days'];

/** No filter, each value of each, and a short period of the past for those with both ends of a range. */
async function listFilters(pool: pg.Pool, at: Date, field: ListField): Promise<Example[]> {
  const filters: Example[] = [{ label: '', value: undefined }];
  const values = new Map<string, Example[]>();
  for (const filter of field.filters) {
    const examples = await findExamples(pool, at, field, filter);
    values.set(filter.name, examples);
    for (const { label, value } of examples)
      filters.push({ label: `${filter.name}: ${label}`, value: { [filter.name]: value } });
  }
  for (const [from, to] of [
    ['from', 'to'],
    ['createdFrom', 'createdTo'],
  ] as const) {
    for (const start of values.get(to) === undefined ? [] : (values.get(from) ?? [])) {
      if (!PERIODS.includes(start.label)) continue;
      const end = new Date(new Date(String(start.value)).getTime() + 7 * 86_400_000).toISOString();
      filters.push({
        label: `${from}, ${to}: a week from ${start.label}`,
        value: { [from]: start.value, [to]: end.slice(0, String(start.value).length) },
      });
    }
  }
  return filters;
}

interface Parent {
  label: string;
  /** Reads the object with the id `$parent`, around the selection of a field of it. */
  wrap: (selection: string) => string;
  id?: string;
}

const ROOT: Parent = { label: '', wrap: (selection) => `{ ${selection} }` };

/** Types without a list of their own are reached from the objects that refer to them. */
const REFERENCES: Record<
  string,
  { table: string; node: string; field: string; nodes: string; column: string }
> = {
  TicketType: {
    table: 'ticket_types',
    node: 'Ticket',
    field: 'ticketType',
    nodes: 'tickets',
    column: 'ticket_type_id',
  },
  DayPassType: {
    table: 'day_pass_types',
    node: 'DayPass',
    field: 'dayPassType',
    nodes: 'day_passes',
    column: 'type_id',
  },
};

const MAX_PARENTS = 200;
const MAX_COUNTED = 3_000;

/** Returns the parent with most rows and the one with fewest. */
async function findParents(pool: pg.Pool, field: ListField): Promise<Parent[]> {
  const { parent, toCondition, list } = field;
  if (parent === null || toCondition === undefined) return [ROOT];
  const reference = REFERENCES[parent];
  const table = reference?.table ?? findNodeTables().get(parent);
  if (table === undefined) throw new Error(`Say in REFERENCES how to reach a ${parent}.`);
  const exists = reference
    ? `WHERE EXISTS (SELECT FROM ${reference.nodes} r WHERE r.${reference.column} = o.id AND r.status = 'valid')`
    : '';
  const { rows } = await pool.query<{ id: string }>(
    `SELECT parent.id FROM (SELECT id FROM ${table} o ${exists} ORDER BY id LIMIT ${MAX_PARENTS}) parent
     ORDER BY (SELECT count(*) FROM (SELECT FROM ${list.table} listed WHERE ${toCondition('listed', 'parent.id')} LIMIT ${MAX_COUNTED}) rows), parent.id`,
  );
  const found = [...new Set([rows[0]?.id, rows.at(-1)?.id])];
  const parents: Parent[] = [];
  for (const [n, id] of found.entries()) {
    if (id === undefined) continue;
    const label = n === found.length - 1 ? 'busy' : 'idle';
    if (reference === undefined) {
      const open = findFieldById(parent);
      const toObject = (selection: string) =>
        open.startsWith('node(') ? `{ ... on ${parent} { ${selection} } }` : `{ ${selection} }`;
      parents.push({ label, id, wrap: (selection) => `{ ${open} ${toObject(selection)} }` });
      continue;
    }
    const { rows: referring } = await pool.query<{ id: string }>(
      `SELECT id FROM ${reference.nodes} WHERE ${reference.column} = $1 AND status = 'valid' ORDER BY id LIMIT 1`,
      [id],
    );
    const wrap = (selection: string) =>
      `{ node(id: $parent) { ... on ${reference.node} { ${reference.field} { ${selection} } } } }`;
    if (referring[0]) parents.push({ label, id: referring[0].id, wrap });
  }
  return parents;
}

function writePages(field: ListField, filter: Example, parent: Parent): ListOperation[] {
  const orders = Object.keys(field.list.sortKeys).flatMap((key) => [`${key}_ASC`, `${key}_DESC`]);
  const toOperation = (argument: string, selection: string, variables: object): ListOperation => {
    const types = [
      ...(parent.id === undefined ? [] : ['$parent: ID!']),
      ...(filter.value === undefined ? [] : [`$filter: ${field.filterType}`]),
      ...(argument.includes('count') ? [] : [`$orderBy: ${field.orderType}`]),
    ];
    const args = [
      ...(argument === 'count' ? ['first: 1'] : [`${argument}: ${PAGE_SIZE}`, 'orderBy: $orderBy']),
      ...(filter.value === undefined ? [] : ['filter: $filter']),
    ];
    const head = types.length > 0 ? `query (${types.join(', ')}) ` : '';
    const labels = [filter.label, ...Object.values(variables), argument].filter(Boolean);
    // `slug` accepts ids too, but is a string.
    const text = parent.wrap(`${field.field}(${args.join(', ')}) { ${selection} }`);
    return {
      name: `${field.name}(${labels.join(', ')})${parent.label && ` of ${parent.label}`}`,
      query:
        head.replace(
          '$parent: ID!',
          text.includes('slug: $parent') ? '$parent: String!' : '$parent: ID!',
        ) + text,
      variables: {
        ...variables,
        ...(parent.id === undefined ? {} : { parent: parent.id }),
        ...(filter.value === undefined ? {} : { filter: filter.value }),
      },
    };
  };
  const page = 'nodes { __typename } pageInfo { hasNextPage endCursor }';
  return [
    ...orders.map((orderBy) => toOperation('first', page, { orderBy })),
    // The last rows of an order are read like the first ones of the reverse order, so once shows that they can be read.
    ...(filter.value === undefined
      ? orders.map((orderBy) => toOperation('last', page, { orderBy }))
      : []),
    // A count below another object reads the same rows as the page, in no order.
    ...(parent.id === undefined || filter.value === undefined
      ? [toOperation('count', 'totalCount { value }', {})]
      : []),
  ];
}
