import { type DefaultTreeAdapterTypes, type ParserError, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

/** A page as a browser without scripts and a search engine read it. */
export interface ParsedPage {
  /** Where the HTML breaks the standard. */
  errors: string[];
  title: string;
  /** The content attributes of meta elements, by name or property. */
  meta: Record<string, string>;
  /** The addresses of links in the head, by relation. */
  links: Record<string, string>;
  /** The text that people see, without scripts and styles. */
  text: string;
  /** The addresses of the links in the content. */
  hrefs: string[];
  /** The attributes and the content of each script. */
  scripts: { attributes: Record<string, string>; content: string }[];
  structuredData: Record<string, unknown> | null;
}

/** Parses a page as browsers do, and records each error. */
export function parsePage(html: string): ParsedPage {
  const errors: string[] = [];
  const onParseError = ({ code, startLine }: ParserError) => errors.push(`${startLine}: ${code}`);
  const elements = [...walk(parse(html, { onParseError, scriptingEnabled: false }).childNodes)];
  const named = (name: string) => elements.filter(({ tagName }) => tagName === name);
  const scripts = named('script').map((element) => ({
    attributes: toAttributes(element),
    content: toText(element),
  }));
  const json = scripts.find(({ attributes: { type } }) => type === 'application/ld+json');
  const body = named('body')[0];
  return {
    errors,
    title: named('title')
      .map((element) => toText(element))
      .join('|'),
    meta: toRecord(named('meta'), ({ name, property }) => name ?? property, 'content'),
    links: toRecord(named('link'), ({ rel }) => rel, 'href'),
    text: body === undefined ? '' : toText(body, ['script', 'style']).replace(/\s+/g, ' '),
    hrefs: named('a').flatMap((element) => toAttributes(element).href ?? []),
    scripts,
    structuredData: json === undefined ? null : JSON.parse(json.content),
  };
}

function* walk(nodes: Node[]): Generator<Element> {
  for (const node of nodes) {
    if (!('tagName' in node)) continue;
    yield node;
    yield* walk(node.childNodes);
  }
}

const toAttributes = ({ attrs }: Element): Record<string, string> =>
  Object.fromEntries(attrs.map(({ name, value }) => [name, value]));

function toText(node: Node, without: string[] = []): string {
  if ('value' in node) return node.value;
  if (!('childNodes' in node) || without.includes(node.nodeName)) return '';
  return node.childNodes.map((child) => toText(child, without)).join('');
}

const toRecord = (
  elements: Element[],
  toName: (attributes: Record<string, string>) => string | undefined,
  value: string,
): Record<string, string> =>
  Object.fromEntries(
    elements
      .map(toAttributes)
      .map((attributes) => [toName(attributes) ?? '', attributes[value] ?? '']),
  );
