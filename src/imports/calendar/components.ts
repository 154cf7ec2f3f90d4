import { unreadable } from '../source/unreadable.ts';
import type { LogicalLine } from './lines.ts';

/** What stands between BEGIN and END: properties still as lines, and what is nested. */
export interface Component {
  name: string;
  line: number;
  lines: LogicalLine[];
  children: Component[];
}

/** The calendars of a file. Throws BAD_REQUEST with the line where its frame is broken. */
export function calendarsIn(lines: LogicalLine[]): Component[] {
  const file: Component = { name: '', line: 1, lines: [], children: [] };
  const open = [file];
  for (const { line, text } of lines) {
    const current = open.at(-1) ?? file;
    const frame = /^(BEGIN|END)[ \t]*:[ \t]*(\S+)[ \t]*$/i.exec(text);
    const name = frame?.[2]?.toUpperCase();
    if (current === file && text.toUpperCase().trim() !== 'BEGIN:VCALENDAR')
      throw notACalendar(line);
    if (!frame || !name) {
      current.lines.push({ line, text });
    } else if (frame[1]?.toUpperCase() === 'BEGIN') {
      const child: Component = { name, line, lines: [], children: [] };
      current.children.push(child);
      open.push(child);
    } else {
      if (name !== current.name) throw mismatch(line, name, current);
      open.pop();
    }
  }
  const left = open.at(-1) ?? file;
  if (left !== file)
    throw unreadable(left.line, `BEGIN:${left.name} has no END; the file is cut off.`);
  if (file.children.length === 0) throw unreadable(1, 'The file is empty.');
  return file.children;
}

/** The component as text again, for what the parser wants whole. */
export function textOf({ name, lines, children }: Component): string {
  const inner = [...lines.map(({ text }) => text), ...children.map(textOf)];
  return [`BEGIN:${name}`, ...inner, `END:${name}`].join('\r\n');
}

const notACalendar = (line: number) =>
  unreadable(line, 'This is not an iCalendar file: BEGIN:VCALENDAR was expected here.');

const mismatch = (line: number, name: string, open: Component) =>
  unreadable(
    line,
    `END:${name} stands here, but the ${open.name} of line ${open.line} is still open.`,
  );
