import { type ImportNote, toSameNote } from '../source/note.ts';
import { createUnreadableFileError } from '../source/source-file.ts';
import { assertComponentCount, type LogicalLine } from './logical-lines.ts';

/** The content between BEGIN and END: unparsed property lines and nested components. */
export interface CalendarComponent {
  name: string;
  line: number;
  lines: LogicalLine[];
  children: CalendarComponent[];
}

export interface CalendarParser {
  /** Takes the next lines of the file. @throws BAD_REQUEST, with the line, when BEGIN and END do not match, or for too many components */
  add(lines: LogicalLine[]): void;
  /** @throws BAD_REQUEST, with the line, for a file that ends too early or has no calendar */
  end(): { calendars: CalendarComponent[]; notes: ImportNote[] };
}

/** Splits a file into its calendars. Caches and proxies add lines of their own around a calendar: they are not read, and a note says so. */
export function createCalendarParser(): CalendarParser {
  const file: CalendarComponent = { name: '', line: 1, lines: [], children: [] };
  const open = [file];
  // The calendar around its entries is not counted.
  let components = -1;
  const addLine = ({ line, text }: LogicalLine) => {
    const current = open.at(-1) ?? file;
    const frame = /^(BEGIN|END)[ \t]*:[ \t]*(\S+)[ \t]*$/i.exec(text);
    const name = frame?.[2]?.toUpperCase();
    if (current === file && frame && !/^BEGIN[ \t]*:[ \t]*VCALENDAR/i.test(text))
      throw createNotACalendarError(line);
    if (!frame || !name) {
      current.lines.push({ line, text });
    } else if (frame[1]?.toUpperCase() === 'BEGIN') {
      components += 1;
      assertComponentCount(components);
      const child: CalendarComponent = { name, line, lines: [], children: [] };
      current.children.push(child);
      open.push(child);
    } else {
      if (name !== current.name) throw createMismatchError(line, name, current);
      open.pop();
    }
  };
  return {
    add: (lines) => lines.forEach(addLine),
    end: () => {
      const unclosed = open.at(-1) ?? file;
      if (unclosed !== file)
        throw createUnreadableFileError(
          unclosed.line,
          `BEGIN:${unclosed.name} has no END: the file is incomplete.`,
        );
      const [outside, ...others] = file.lines;
      if (file.children.length === 0)
        throw outside
          ? createNotACalendarError(outside.line)
          : createUnreadableFileError(1, 'The file is empty.');
      const notes = outside ? [noteOutside(outside, others.length)] : [];
      return { calendars: file.children, notes };
    },
  };
}

const noteOutside = ({ line }: LogicalLine, more: number): ImportNote => ({
  line,
  text: `This line is outside of the calendar, so it is not read.${toSameNote(more, 'line', 'lines')}`,
});

const createNotACalendarError = (line: number) =>
  createUnreadableFileError(
    line,
    'This is not an iCalendar file: BEGIN:VCALENDAR was expected here.',
  );

const createMismatchError = (line: number, name: string, open: CalendarComponent) =>
  createUnreadableFileError(
    line,
    `Found END:${name}, but the ${open.name} of line ${open.line} is still open.`,
  );
