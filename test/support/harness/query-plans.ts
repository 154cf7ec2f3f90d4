import pg from 'pg';

/** A statement as the service sent it. */
export interface SentStatement {
  text: string;
  values: unknown[];
  name?: string | undefined;
  /** Whether it is planned for its values. Other statements with a name are planned once for all values. */
  needsCustomPlan?: boolean | undefined;
}

/** Whether a planned query sent the statement. On the embedded database, those that are planned for their values have no name. */
export const isOfPlannedQuery = ({ name, text }: SentStatement): boolean =>
  name?.startsWith('planned_') ?? text.endsWith(' AS now) clock');

/** Runs the work and returns the statements that reach the database meanwhile, on any connection. */
export async function captureStatements(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
    const [config, values] = args as unknown as [
      string | Partial<SentStatement> | undefined,
      unknown,
    ];
    const given = typeof config === 'string' ? { text: config } : config;
    if (given?.text !== undefined) {
      const ownValues = given.values ?? (Array.isArray(values) ? values : []);
      const { text, name, needsCustomPlan } = given;
      sent.push({ text, values: ownValues, name, needsCustomPlan });
    }
    return query.apply(this, args as never);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent.filter(({ text }) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/i.test(text));
}

/** A part of a plan that reads a table or an index, with what it read in all its loops. */
export interface Scan {
  /** Such as `Index Scan on bookings using bookings_starts_at_id_idx`. */
  name: string;
  /** Returned, or read and dropped by a filter. */
  rows: number;
  loops: number;
  /** Pages of 8 kB. */
  blocks: number;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

// In small tables, reading everything is cheaper than an index. This shows the plan for large ones.
const AS_IF_LARGE = ['enable_seqscan = off', 'random_page_cost = 1.1'];

/** Executes a statement with its values in a transaction that is rolled back, and returns the scans of its plan. */
export async function explainScans(
  client: pg.ClientBase,
  sent: SentStatement,
  settings = AS_IF_LARGE,
): Promise<Scan[]> {
  const values = sent.values.map(toLiteral);
  const call = `EXECUTE explained${values.length > 0 ? ` (${values.join(', ')})` : ''}`;
  const kind = sent.name === undefined || sent.needsCustomPlan ? 'custom' : 'generic';
  try {
    // One message is several times faster than one for each statement.
    const results = await client.query(
      [
        'BEGIN',
        ...[`plan_cache_mode = force_${kind}_plan`, ...settings].map((one) => `SET LOCAL ${one}`),
        `PREPARE explained AS ${sent.text}`,
        `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${call}`,
      ].join(';'),
    );
    const { rows } = (results as unknown as pg.QueryResult[]).at(-1) as pg.QueryResult;
    return listScans(rows[0]['QUERY PLAN'][0].Plan);
  } finally {
    await client.query('ROLLBACK; DEALLOCATE ALL');
  }
}

function listScans(node: PlanNode): Scan[] {
  const children = node.Plans ?? [];
  const [table, index] = [node['Relation Name'], node['Index Name']];
  const isScan = node['Node Type'].endsWith('Scan') && (table ?? index) !== undefined;
  const countBlocks = (one: PlanNode) => one['Shared Hit Blocks'] + one['Shared Read Blocks'];
  const loops = node['Actual Loops'];
  const read =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const scan = {
    name: `${node['Node Type']}${table ? ` on ${table}` : ''}${index ? ` using ${index}` : ''}`,
    rows: Math.round(read * loops),
    loops,
    blocks: children.reduce((blocks, child) => blocks - countBlocks(child), countBlocks(node)),
  };
  return [...(isScan ? [scan] : []), ...children.flatMap(listScans)];
}

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Uint8Array)
    return pg.escapeLiteral(`\\x${Buffer.from(value).toString('hex')}`);
  if (Array.isArray(value)) return pg.escapeLiteral(toArrayLiteral(value));
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  return pg.escapeLiteral(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function toArrayLiteral(items: unknown[]): string {
  const texts = items.map((item) => {
    if (item === null || item === undefined) return 'NULL';
    if (item instanceof Uint8Array) return `"\\\\x${Buffer.from(item).toString('hex')}"`;
    return JSON.stringify(item instanceof Date ? item.toISOString() : String(item));
  });
  return `{${texts.join(',')}}`;
}
