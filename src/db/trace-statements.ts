import { SpanKind } from '@opentelemetry/api';
import type { PrismaPg } from '@prisma/adapter-pg';
import { LRUCache } from 'lru-cache';
import { hasSpan, type Tracer, withSpan } from '../core/tracing.ts';
import type { Connection } from './connection.ts';
import type { Sql } from './prepared-statement.ts';
import type { SqlTransaction } from './sql-transaction.ts';

// Spans contain the texts of statements and never their values: texts are part of the source code or composed of such parts, and
// everything that callers send is a parameter.

/** Lists with all their fields can have long texts. */
const MAX_TEXT_LENGTH = 2_000;

/** Adds a span for each statement that a traced caller sends. Statements of others, such as polls for work, have none. */
export const traceStatements = <Traced extends Connection>(
  connection: Traced,
  tracer: Tracer,
): Traced => ({
  ...connection,
  pipelinedSql: traceSql(connection.pipelinedSql, tracer),
  lockingSql: traceSql(connection.lockingSql, tracer),
  sqlTransaction: traceTransaction(connection.sqlTransaction, tracer),
});

const traceSql =
  (sql: Sql, tracer: Tracer): Sql =>
  (statement, values) =>
    withStatementSpan(tracer, statement, () => sql(statement, values));

const traceTransaction =
  (sqlTransaction: SqlTransaction, tracer: Tracer): SqlTransaction =>
  (work) =>
    hasSpan()
      ? withSpan(tracer, 'transaction', {}, () =>
          sqlTransaction((sql) => work(traceSql(sql, tracer))),
        )
      : sqlTransaction(work);

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
type Queryable = Pick<Adapter, 'queryRaw' | 'executeRaw'>;
type Query = Parameters<Queryable['queryRaw']>[0];

/** Adds a span for each statement that Prisma sends for a traced caller. */
export function traceAdapter(factory: PrismaPg, tracer: Tracer): PrismaPg {
  const trace = <Traced extends Queryable>(queryable: Traced): Traced => {
    const run =
      <Result>(send: (query: Query) => Promise<Result>) =>
      (query: Query) =>
        withStatementSpan(tracer, { text: query.sql }, () => send(query));
    const { queryRaw, executeRaw } = queryable;
    return Object.assign(queryable, {
      queryRaw: run(queryRaw.bind(queryable)),
      executeRaw: run(executeRaw.bind(queryable)),
    });
  };
  const traceTransactions = (adapter: Adapter): Adapter => {
    const { startTransaction } = adapter;
    return Object.assign(adapter, {
      startTransaction: async (...options: Parameters<typeof startTransaction>) =>
        trace(await startTransaction.apply(adapter, options)),
    });
  };
  const connect = factory.connect.bind(factory);
  return Object.assign(factory, {
    connect: async () => traceTransactions(trace(await connect())),
  });
}

function withStatementSpan<T>(
  tracer: Tracer,
  { name, text }: { name?: string; text: string },
  send: () => Promise<T>,
): Promise<T> {
  if (!hasSpan()) return send();
  const summary = summarize(text);
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.summary': summary,
    'db.query.text': text.trim().slice(0, MAX_TEXT_LENGTH),
    ...(name === undefined ? {} : { 'foyer.statement': name }),
  };
  return withSpan(tracer, summary, { kind: SpanKind.CLIENT, attributes }, send);
}

const summaries = new LRUCache<string, string>({ max: 1_000 });

/** Returns what a statement does and to which table: `UPDATE mails`. Reads are named after the first table. */
function summarize(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const summary = findWrite(text) ?? findRead(text);
  summaries.set(text, summary);
  return summary;
}

const WRITE =
  /\b(?:(INSERT INTO|DELETE FROM) (?:"public"\.)?"?(\w+)|(UPDATE) (?:"public"\.)?"?(\w+)"? (?:\w+ )?SET\b)/i;
const READ = /\bFROM (?:"public"\.)?"?(\w+)/i;

function findWrite(text: string): string | undefined {
  const [, operation, table, update, updated] = WRITE.exec(text) ?? [];
  if (update !== undefined) return `UPDATE ${updated}`;
  return operation === undefined ? undefined : `${operation.split(' ')[0]?.toUpperCase()} ${table}`;
}

function findRead(text: string): string {
  const table = READ.exec(text)?.[1];
  return table === undefined ? (/\w+/.exec(text)?.[0]?.toUpperCase() ?? 'SQL') : `SELECT ${table}`;
}
