import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

// The pages of members, and what they share with the panel.
const FILES = [
  ...readdirSync('src/web/member', { encoding: 'utf8', recursive: true })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `src/web/member/${file}`),
  'src/web/admin/account/SessionList.tsx',
  'src/web/admin/bookings/RepeatFields.tsx',
  'src/web/admin/bookings/booking-labels.ts',
  'src/web/admin/bookings/booking-repeat.ts',
  'src/web/admin/members/MemberCalendar.tsx',
  'src/web/admin/plans/plan-labels.ts',
  'src/web/app/session/MemberEmailPages.tsx',
  'src/web/components/SecretDialog.tsx',
];
const SHOWN_ATTRIBUTES =
  /^(aria-(label|description)|cancelLabel|description|label|nothingFoundMessage|placeholder|title)$/;
/** A capital and a second word. */
const SENTENCE = /^\p{Lu}[\p{L}’]* [\p{L}’]/u;

/** Lists the texts that a file shows as they are. */
function findShownTexts(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isJsxText(node) && /\p{L}{2}/u.test(node.text)) found.push(node.text.trim());
    else if (ts.isTemplateExpression(node) && SENTENCE.test(node.head.text))
      found.push(node.head.text);
    else if (ts.isStringLiteralLike(node) && isShown(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.map((text) => `${file}: ${text}`);
}

const isShown = (node: ts.StringLiteralLike) =>
  SENTENCE.test(node.text) ||
  (ts.isJsxAttribute(node.parent) && SHOWN_ATTRIBUTES.test(node.parent.name.getText()));

it('has no texts outside the catalogs on the pages of members', () => {
  expect(FILES.flatMap(findShownTexts)).toEqual([]);
});
