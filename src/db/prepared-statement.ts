/** One SQL statement, prepared once per connection under its name, if it has one. Parameters are $1, $2 … */
export interface Statement {
  name?: string;
  text: string;
}

/** Runs a prepared statement. For the few hot reads that Prisma is too slow for; all else is Prisma's. */
export type Sql = <Row>(statement: Statement, values: unknown[]) => Promise<Row[]>;

/** Prisma writes instants without their offset: a server that keeps another time would take them for its own. */
export const SET_TIME_ZONE_UTC = "SET TIME ZONE 'UTC'";

const knownStatements = new Map<string, Statement>();

// Every connection keeps what is prepared for as long as it lives, and callers choose which filters come together.
const MAX_PREPARED_STATEMENTS = 150;

/** The name under which a text is prepared, if it is one of ours. */
export const getStatementName = (text: string): string | undefined =>
  knownStatements.get(text)?.name;

/** The same text is the same statement. Values never stand in the text. The first ones, the usual ones, are prepared. */
export function prepareStatement(text: string): Statement {
  const found = knownStatements.get(text);
  if (found) return found;
  if (knownStatements.size >= MAX_PREPARED_STATEMENTS) return { text };
  const made = { name: `foyer_${knownStatements.size}`, text };
  knownStatements.set(text, made);
  return made;
}
