import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from 'scslre';
import ts from 'typescript';

// Rejects regular expressions that take superlinear time on some input: one that backtracks through the same text in several
// ways, and one that is searched from every position of a text that it can almost match to the end.

interface Found {
  place: string;
  source: string;
  flags: string;
}

/** Stands for a part of a pattern that is known only at run time. */
const UNKNOWN_PART = 'x';

const files = ['src', 'packages/client/src']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((name) => /\.tsx?$/.test(name) && !/\/(generated|gql)\//.test(name));

const found: Found[] = [];
const problems: string[] = [];
for (const file of files) collect(file);

for (const { place, source, flags } of found) {
  const reports = findReports(source, flags);
  if (reports.length > 0)
    problems.push(`${place}: /${source}/${flags} takes superlinear time: ${reports.join('; ')}`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(
    `\n${problems.length} of ${found.length} regular expressions can block the service. Limit their quantifiers, anchor them, or check the length of the text first.`,
  );
  process.exit(1);
}

function findReports(source: string, flags: string): string[] {
  const { reports } = analyse(
    { source, flags },
    { reportTypes: { Move: true, Self: true, Trade: true } },
  );
  return reports.map((report) =>
    report.type === 'Move'
      ? `it is searched from every position of ${quote(report.quant.raw)}`
      : report.type === 'Trade'
        ? `${quote(report.startQuant.raw)} and ${quote(report.endQuant.raw)} can share a text in many ways`
        : `${quote(report.quant.raw)} can match a text in many ways`,
  );
}

function quote(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function collect(file: string): void {
  const text = readFileSync(file, 'utf8');
  if (!/RegExp\(|\/.*\//.test(text)) return;
  const sourceFile = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const { line } = sourceFile.getLineAndCharacterOfPosition(node.getStart(sourceFile));
    const place = `${file}:${line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText(sourceFile) === 'RegExp'
    ) {
      const [pattern, flags] = (node.arguments ?? []).map((argument) =>
        evaluate(argument, sourceFile),
      );
      if (typeof pattern !== 'string')
        problems.push(
          `${place}: write the pattern with constants of this file, so that it can be checked`,
        );
      else found.push({ place, source: pattern, flags: flags ?? '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(sourceFile);
}

/** Evaluates texts, templates, constants of the file, and lists that are joined. */
function evaluate(node: ts.Expression, file: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(
      ({ expression, literal }) => (evaluate(expression, file) ?? UNKNOWN_PART) + literal.text,
    );
    return node.head.text + parts.join('');
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [evaluate(node.left, file), evaluate(node.right, file)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  if (ts.isIdentifier(node)) {
    const initializer = findConstant(node.text, file);
    return initializer && evaluate(initializer, file);
  }
  if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'join' &&
    ts.isArrayLiteralExpression(node.expression.expression)
  ) {
    const items = node.expression.expression.elements.map((item) => evaluate(item, file));
    const [separator = ','] = node.arguments.map((argument) => evaluate(argument, file));
    return items.every((item) => item !== undefined) ? items.join(separator) : undefined;
  }
  return undefined;
}

function findConstant(name: string, file: ts.SourceFile): ts.Expression | undefined {
  let found: ts.Expression | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText(file) === name)
      found = node.initializer;
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
