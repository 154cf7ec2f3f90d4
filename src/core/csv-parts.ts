// A request has at most 200 kB, and the service imports each part in one transaction.
const MAX_PART_BYTES = 100_000;
const MAX_PART_RECORDS = 200;

/** A part of a CSV file, with the header of the file. */
export interface CsvPart {
  text: string;
  /** How many lines further down the lines of this part are in the file. */
  lineOffset: number;
}

interface CsvRecord {
  text: string;
  /** The line of the file where it starts, from 1. */
  line: number;
}

/** Splits a CSV file into parts that one request can send. Line breaks within quotation marks do not end a record. */
export function splitCsv(file: string, maxRecords = MAX_PART_RECORDS): CsvPart[] {
  const records = listRecords(file.replace(/\r\n?/g, '\n')).filter(
    ({ text }) => text.trim() !== '',
  );
  const [first, second] = records;
  if (first === undefined) return [{ text: file, lineOffset: 0 }];
  // Excel declares the delimiter in a line before the header.
  const isDeclared = /^sep=.$/i.test(first.text) && second !== undefined;
  const header = isDeclared ? `${first.text}\n${second.text}` : first.text;
  const rows = records.slice(isDeclared ? 2 : 1);
  if (rows.length === 0) return [{ text: header, lineOffset: 0 }];
  const headerLines = header.split('\n').length;
  return groupRecords(rows, maxRecords).map((group) => ({
    text: [header, ...fillGaps(group)].join('\n'),
    lineOffset: (group[0]?.line ?? 0) - headerLines - 1,
  }));
}

/** Keeps empty lines between records, so that each record has its line. */
function fillGaps(group: CsvRecord[]): string[] {
  let line = group[0]?.line ?? 0;
  return group.map(({ text, line: start }) => {
    const gap = '\n'.repeat(start - line);
    line = start + text.split('\n').length;
    return gap + text;
  });
}

function listRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let lines: string[] = [];
  let isQuoted = false;
  text.split('\n').forEach((line, index) => {
    lines.push(line);
    if (line.split('"').length % 2 === 0) isQuoted = !isQuoted;
    if (isQuoted) return;
    records.push({ text: lines.join('\n'), line: index + 2 - lines.length });
    lines = [];
  });
  // A quotation mark is never closed, which the service reports.
  if (lines.length > 0)
    records.push({ text: lines.join('\n'), line: text.split('\n').length + 1 - lines.length });
  return records;
}

function groupRecords(records: CsvRecord[], maxRecords: number): CsvRecord[][] {
  const encoder = new TextEncoder();
  const groups: CsvRecord[][] = [];
  let bytes = 0;
  for (const record of records) {
    const size = encoder.encode(record.text).length + 2;
    const group = groups.at(-1);
    if (group && group.length < maxRecords && bytes + size <= MAX_PART_BYTES) {
      group.push(record);
      bytes += size;
    } else {
      groups.push([record]);
      bytes = size;
    }
  }
  return groups;
}
