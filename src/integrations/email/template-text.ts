import Mustache from 'mustache';
import { toSingleLine } from '../../core/text-rules.ts';
import { DomainError } from '../../errors.ts';
import type { EmailTemplate } from './template-description.ts';

export const MAX_SUBJECT_CHARACTERS = 200;
export const MAX_BODY_CHARACTERS = 10_000;

/** The wording of a template, with variables and sections. */
export interface TemplateText {
  /** One line. */
  subject: string;
  /** Plain text. Blank lines separate paragraphs. The greeting is not part of it. */
  body: string;
}

// Each text gets a writer of its own, since a shared one would cache every text for ever, also those of previews.
const createWriter = () => new Mustache.Writer();

/** The layout escapes everything for HTML, so the texts themselves are not escaped. */
const PLAIN_TEXT = { escape: String };

/** Renders a subject on one line and a body as paragraphs. Values are never rendered as templates themselves. */
export function renderTemplateText(
  { subject, body }: TemplateText,
  values: Record<string, string | readonly string[] | null>,
): { subject: string; paragraphs: string[] } {
  const view = Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toPlainValue(value)])),
  );
  const render = (text: string) => createWriter().render(text, view, undefined, PLAIN_TEXT);
  return {
    subject: toSingleLine(render(subject)),
    paragraphs: render(body)
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== ''),
  };
}

/** A value stays on its line, so that nobody can enter text that looks like a paragraph of the email. */
const toPlainValue = (value: string | readonly string[] | null): string =>
  (typeof value === 'string' ? [value] : (value ?? [])).map(toSingleLine).join('\n');

/**
 * Checks the wording of a template.
 *
 * @throws VALIDATION, reason TEMPLATE_INVALID, with a message that says what to correct
 */
export function assertTemplateText({ variables }: EmailTemplate, text: TemplateText): void {
  const names = Object.keys(variables);
  const known = names.map((name) => `{{${name}}}`).join(', ');
  for (const field of ['subject', 'body'] as const) {
    for (const name of listNames(field, text[field])) {
      const variable = variables[name];
      if (variable === undefined) {
        throw invalidTemplate(
          field,
          `The ${field} contains {{${name}}}, which does not exist. Use ${known}.`,
          { variable: name, variables: names },
        );
      }
      if (field === 'subject' && variable.isFromStranger) {
        throw invalidTemplate(
          field,
          `{{${name}}} cannot stand in the subject, because others enter its text. Use it in the body.`,
          { variable: name },
        );
      }
    }
  }
}

const invalidTemplate = (
  field: keyof TemplateText,
  message: string,
  details: Record<string, unknown> = {},
) =>
  new DomainError('VALIDATION', message, {
    ...details,
    reason: 'TEMPLATE_INVALID',
    fields: [field],
  });

/** What mustache knows about a piece of a text: its type, name, position, and for a section its content. */
type Token = [type: string, name: string, start: number, end: number, content?: unknown];

function listNames(field: keyof TemplateText, text: string): string[] {
  return listTokenNames(field, parseTokens(field, text));
}

function parseTokens(field: keyof TemplateText, text: string): Token[] {
  try {
    return createWriter().parse(text) as Token[];
  } catch (error) {
    throw invalidTemplate(field, explainSyntaxError(field, (error as Error).message));
  }
}

/** Mustache names the section and the position: `Unclosed section "reason" at 20`. */
function explainSyntaxError(field: keyof TemplateText, message: string): string {
  const [, problem, name] = /^(Unclosed|Unopened) section "(.*)" at \d+$/s.exec(message) ?? [];
  if (problem === 'Unclosed') {
    return `The section {{#${name}}} in the ${field} is not closed. Add {{/${name}}}.`;
  }
  if (problem === 'Unopened') {
    return `The ${field} closes the section {{/${name}}}, but does not open it. Add {{#${name}}} before it.`;
  }
  return `The ${field} contains {{ without }}. Write variables as {{name}}.`;
}

function listTokenNames(field: keyof TemplateText, tokens: Token[]): string[] {
  return tokens.flatMap(([type, name, , , content]) => {
    switch (type) {
      case 'name':
      case '&':
        return [name];
      case '#':
      case '^':
        return [name, ...listTokenNames(field, content as Token[])];
      case '>':
      case '=':
        throw invalidTemplate(
          field,
          `The ${field} contains {{${type}, which is not supported. Use variables and sections only.`,
        );
      default:
        return [];
    }
  });
}
