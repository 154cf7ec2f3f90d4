import ICAL from 'ical.js';
import type { LogicalLine } from './lines.ts';
import { EntryProblem } from './problem.ts';

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
const UNTYPED = { ...ICAL.design.icalendar, value: {}, property: {} };

/** Throws EntryProblem for a line that is none. */
export function readProperty({ line, text }: LogicalLine): Property {
  try {
    const [name, parameters, type, value] = ICAL.parse.property(text, UNTYPED) as Jcal;
    return { line, name: name.trim(), parameters, type, value };
  } catch {
    throw new EntryProblem(`Line ${line} is not a property of the form NAME:value.`, line);
  }
}

type Jcal = [string, Property['parameters'], string, string];

export const nameOf = ({ text }: LogicalLine) =>
  /^[^:;]*/.exec(text)?.[0].trim().toLowerCase() ?? '';

export function parameter({ parameters }: Property, name: string): string | undefined {
  const value = parameters[name];
  return (Array.isArray(value) ? value[0] : value)?.trim() || undefined;
}

/** A TEXT value without its escapes. */
export const plainText = (value: string) =>
  value
    .replace(/\\([\\;,:"nN])/g, (_, escaped: string) => (/n/i.test(escaped) ? '\n' : escaped))
    .trim();

/** The items of a TEXT list; an escaped comma does not divide. */
export const textList = (value: string) =>
  (value.match(/(?:\\.|[^,\\])+/g) ?? []).map(plainText).filter((item) => item !== '');
