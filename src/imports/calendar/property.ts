import ICAL from 'ical.js';
import type { LogicalLine } from './components.ts';
import { EntryError } from './entry-error.ts';

export interface Property {
  line: number;
  name: string;
  parameters: Record<string, string | string[] | undefined>;
  /** From the VALUE parameter, in lower case; `unknown` where there is none. */
  type: string;
  value: string;
}

// ical.js reads names, parameters and quoting; values stay as written, because its date conversion
// silently mends or cuts what it cannot read.
const UNTYPED_DESIGN = { ...ICAL.design.icalendar, value: {}, property: {} };

/** Throws EntryProblem for a line that is none. */
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

/** A TEXT value without its escapes. */
export const unescapeText = (value: string) =>
  value
    .replace(/\\([\\;,:"nN])/g, (_, escaped: string) => (/n/i.test(escaped) ? '\n' : escaped))
    .trim();

/** The items of a TEXT list; an escaped comma does not divide. */
export const parseTextList = (value: string) =>
  (value.match(/(?:\\.|[^,\\])+/g) ?? []).map(unescapeText).filter((item) => item !== '');
