/** Returns the text as the content of a cell of a table. */
export const toCell = (text: string) => text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');

const toRow = (cells: string[]) => `| ${cells.join(' | ')} |`;

export const toTable = (head: string[], rows: string[][]) =>
  [toRow(head), toRow(head.map(() => '---')), ...rows.map(toRow)].join('\n');
