import { createHash } from 'node:crypto';

/** One SQL statement, prepared once per connection under its name. Parameters are $1, $2 … */
export interface Statement {
  name: string;
  text: string;
}

/** Runs a prepared statement. For the few hot reads that Prisma is too slow for; all else is Prisma's. */
export type Sql = <Row>(statement: Statement, values: unknown[]) => Promise<Row[]>;

export function statement(text: string): Statement {
  return { name: createHash('sha256').update(text).digest('base64url').slice(0, 22), text };
}
