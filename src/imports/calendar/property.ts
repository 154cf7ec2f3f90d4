import ICAL from 'ical.js';
import { EntryError } from './entry-error.ts';
import type { LogicalLine } from './logical-lines.ts';

export interface Property {
  line: number;
  name: string;
  parameters: Record<string, string | string[] | undefined>;
  /** The VALUE parameter in lower case; `unknown` if there is none. */
  type: string;
  value: string;
}

// ical.js parses names, parameters and quoting. Values stay as written, because its conversion of dates silently changes
// invalid ones.
const UNTYPED_DESIGN = { ...ICAL.design.icalendar, value: {}, property: {} };

/** @throws EntryError for a line that is not a property */
export function parseProperty({ line, text }: LogicalLine): Property {
  try {
    const [name, parameters, type, value] = ICAL.parse.property(text, UNTYPED_DESIGN) as Jcal;
    return { line, name: name.trim(), parameters, type, value };
  } catch {
    throw new EntryError(`Line ${line} is not a property of the form NAME:value.`, line);
  }
}

type Jcal = [string, Property['parameters'], string, string];

export const parsePropertyName = ({ text }: LogicalLine) =>
  /^[^:;]*/.exec(text)?.[0].trim().toLowerCase() ?? '';

export function findParameter({ parameters }: Property, name: string): string | undefined {
  const value = parameters[name];
  return (Array.isArray(value) ? value[0] : value)?.trim() || undefined;
}

/** Removes the escapes of a TEXT value. */
export const unescapeText = (value: string) =>
  value
    .replace(/\\([\\;,:"nN])/g, (_, escaped: string) => (/n/i.test(escaped) ? '\n' : escaped))
    .trim();

/** Splits a TEXT list at commas that are not escaped. */
export const parseTextList = (value: string) =>
  (value.match(/(?:\\.|[^,\\])+/g) ?? []).map(unescapeText).filter((item) => item !== '');
