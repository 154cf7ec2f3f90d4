// Spreadsheets run a text that begins with =, +, - or @ as a formula. Where lists are separated by semicolons, as with German or French
// settings, they split lines at semicolons, whatever the quotes say. So a cell can begin after each of these separators.
const FORMULA_STARTS = /(^|[;\t\r\n])(?=[ "]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** Spreadsheets recognize UTF-8 by it. */
const BYTE_ORDER_MARK = '\ufeff';

export interface CsvFormat {
  separator: ',' | ';';
  decimalMark: '.' | ',';
}

const PLAIN: CsvFormat = { separator: ',', decimalMark: '.' };

/** What spreadsheets expect with the settings of a language: where numbers have a decimal comma, semicolons separate cells. */
export function getCsvFormat(language: string): CsvFormat {
  const hasComma = (1.5).toLocaleString(language).includes(',');
  return hasComma ? { separator: ';', decimalMark: ',' } : PLAIN;
}

/** Formats lines of cells as CSV (RFC 4180). */
export const formatCsvLines = (lines: string[][], format: CsvFormat = PLAIN): string =>
  lines
    .map((cells) => {
      const texts = cells.map((text) => formatCell(text, format));
      return `${texts.join(format.separator)}\r\n`;
    })
    .join('');

function formatCell(text: string, { decimalMark }: CsvFormat): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = isNumber ? text.replace('.', decimalMark) : text.replaceAll(FORMULA_STARTS, "$1'");
  return /[";,\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
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
