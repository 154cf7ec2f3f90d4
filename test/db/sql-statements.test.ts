import { splitStatements, toLine } from '../../src/db/sql-statements.ts';

const split = (sql: string) => splitStatements(sql).map(({ line, text }) => [line, text]);

it.each<[string, string, [number, string][]]>([
  ['nothing', ' \n-- only; a comment', []],
  ['one statement without an end', 'SELECT 1', [[1, 'SELECT 1']]],
  ['empty statements', ';;\nSELECT 1;;', [[2, 'SELECT 1']]],
  [
    'comments',
    "A; -- it; 's\n/* b; /* c; */ d; */\nB; C",
    [
      [1, 'A'],
      [3, 'B'],
      [3, 'C'],
    ],
  ],
  [
    'strings',
    "A 'x;''y;'; B E'x\\';'; C 'x\\'; D",
    [
      [1, "A 'x;''y;'"],
      [1, "B E'x\\';'"],
      [1, "C 'x\\'"],
      [1, 'D'],
    ],
  ],
  [
    'types before strings',
    "A date'\\'; B",
    [
      [1, "A date'\\'"],
      [1, 'B'],
    ],
  ],
  [
    'quoted names',
    'A "x;""--"; B',
    [
      [1, 'A "x;""--"'],
      [1, 'B'],
    ],
  ],
  [
    'functions',
    'A $$x;\n--y;\n$b$;$$;\nB $b$;$$;$b$; C $1',
    [
      [1, 'A $$x;\n--y;\n$b$;$$'],
      [4, 'B $b$;$$;$b$'],
      [4, 'C $1'],
    ],
  ],
])('splits %s', (_, sql, statements) => {
  expect(split(sql)).toEqual(statements);
});

it('finds the line of a position within a statement', () => {
  const [, statement] = splitStatements('SELECT 1;\n\nSELECT 2\n, x;');
  expect(statement && [1, 8, 12].map((position) => toLine(statement, position))).toEqual([3, 3, 4]);
});
