/** One SQL statement, prepared once per connection under its name. Parameters are $1, $2 … */
export interface Statement {
  name: string;
  text: string;
}

/** Runs a prepared statement. For the few hot reads that Prisma is too slow for; all else is Prisma's. */
export type Sql = <Row>(statement: Statement, values: unknown[]) => Promise<Row[]>;

const known = new Map<string, Statement>();

/** The same text is the same statement. Values never stand in the text, so there are few. */
export function statement(text: string): Statement {
  const found = known.get(text);
  if (found) return found;
  const made = { name: `foyer_${known.size}`, text };
  known.set(text, made);
  return made;
}
