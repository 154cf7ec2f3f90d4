/** A statement of a file. */
export interface SqlStatement {
  /** Without comments, except those in the bodies of functions. */
  text: string;
  /** The line in the file on which it begins, from 1. */
  line: number;
}

/**
 * Splits a file into its statements, so that each can be run by itself. Bodies of functions are strings: `BEGIN ATOMIC` is not
 * supported.
 */
export function splitStatements(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let code = ''; // the file so far, with spaces for comments
  let from = 0;
  let line = 1;
  const end = () => {
    const text = code.slice(from);
    const start = text.search(/\S/);
    if (start >= 0) {
      statements.push({ text: text.trim(), line: line + countLineEnds(text.slice(0, start)) });
    }
    line += countLineEnds(text);
    from = code.length;
  };
  // What can contain a semicolon that ends no statement, and the semicolon itself.
  const special = /--|\/\*|(?<![\w$])[eE]'|'|"|\$(?:[a-zA-Z_]\w*)?\$|;/g;
  for (let match = special.exec(sql); match; match = special.exec(sql)) {
    code += sql.slice(code.length, match.index);
    if (match[0] === ';') {
      end();
      code += ' ';
      from = code.length;
      continue;
    }
    const next = findEnd(sql, match[0], match.index);
    const part = sql.slice(match.index, next);
    code += match[0] === '--' || match[0] === '/*' ? part.replace(/[^\n]/g, ' ') : part;
    special.lastIndex = next;
  }
  code += sql.slice(code.length);
  end();
  return statements;
}

/** Returns the line in the file of a position that PostgreSQL reports for a statement, which counts from 1. */
export const toLine = ({ text, line }: SqlStatement, position: number): number =>
  line + countLineEnds(text.slice(0, position - 1));

const countLineEnds = (text: string) => text.split('\n').length - 1;

/** Returns where the comment, string or quoted name ends that begins with `opening`. */
function findEnd(sql: string, opening: string, start: number): number {
  const from = start + opening.length;
  if (opening === '/*') return findCommentEnd(sql, from);
  if (/^[eE]/.test(opening)) return findEscapedStringEnd(sql, from);
  const closing = opening === '--' ? '\n' : opening;
  const at = sql.indexOf(closing, from); // two quotes in a string are two strings to this function
  return at < 0 ? sql.length : at + closing.length;
}

/** Comments can contain comments. */
function findCommentEnd(sql: string, from: number): number {
  const part = /\/\*|\*\//g;
  part.lastIndex = from;
  let depth = 1;
  for (let match = part.exec(sql); match; match = part.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return part.lastIndex;
  }
  return sql.length;
}

function findEscapedStringEnd(sql: string, from: number): number {
  const part = /\\[\s\S]|'/g;
  part.lastIndex = from;
  for (let match = part.exec(sql); match; match = part.exec(sql))
    if (match[0] === "'") return part.lastIndex;
  return sql.length;
}
