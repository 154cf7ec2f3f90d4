/** An SQL statement with the parameters $1, $2 and so on. If it has a name, each connection prepares it once. */
export interface Statement {
  name?: string;
  text: string;
}

/** Runs a statement. Use it only where Prisma is too slow or cannot express the statement. */
export type Sql = <Row>(statement: Statement, values: unknown[]) => Promise<Row[]>;

/** Prisma writes instants without an offset, which a server in another time zone would misinterpret. */
export const SET_TIME_ZONE_UTC = "SET TIME ZONE 'UTC'";

const knownStatements = new Map<string, Statement>();

// Connections never release prepared statements, and callers can combine filters in many ways, so their number is limited.
const MAX_PREPARED_STATEMENTS = 150;

/** Returns the name of a statement that `prepareStatement` registered. */
export const getStatementName = (text: string): string | undefined =>
  knownStatements.get(text)?.name;

/**
 * Registers a statement by its text, which must not contain values. Only the first MAX_PREPARED_STATEMENTS get a name and
 * are prepared.
 */
export function prepareStatement(text: string): Statement {
  const known = knownStatements.get(text);
  if (known) return known;
  if (knownStatements.size >= MAX_PREPARED_STATEMENTS) return { text };
  const statement = { name: `foyer_${knownStatements.size}`, text };
  knownStatements.set(text, statement);
  return statement;
}
