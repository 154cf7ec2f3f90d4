/** Spreadsheets run a text that begins with one of these as a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;

/** Spreadsheets recognize UTF-8 by it. */
const BYTE_ORDER_MARK = '\ufeff';

/** Formats lines of cells as CSV (RFC 4180). */
export const formatCsvLines = (lines: string[][]): string =>
  lines.map((cells) => `${cells.map(formatCell).join(',')}\r\n`).join('');

function formatCell(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = FORMULA_START.test(text) && !isNumber ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Offers a CSV file to the browser. */
export function downloadCsv(name: string, lines: string[]): void {
  const blob = new Blob([BYTE_ORDER_MARK, ...lines], { type: 'text/csv;charset=utf-8' });
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
