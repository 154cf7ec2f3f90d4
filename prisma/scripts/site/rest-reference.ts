import { buildOpenapiDocument } from '../../../src/rest/openapi/document.ts';
import { routes } from '../../../src/rest/route-table.ts';
import { findTokenScope } from '../docs.ts';
import { toCell, toTable } from './markdown.ts';

interface Parameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
}

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags: string[];
  parameters?: (Parameter | { $ref: string })[];
}

const document = buildOpenapiDocument(routes, {
  baseUrl: 'https://foyer.example.org',
  mailFrom: 'hello@foyer.example.org',
});

/** Returns the page that lists the operations of the REST API. */
export function describeRest(): string {
  const sections = document.tags.flatMap(({ name, description }) => [
    `## ${name}`,
    ...(description ? [description] : []),
    ...routes.flatMap(({ method, path, access }) => {
      const operation = document.paths[path]?.[method.toLowerCase()] as Operation;
      if (operation.tags[0] !== name) return [];
      return describeOperation(`${method} ${path}`, operation, access);
    }),
  ]);
  return `${[
    '# REST reference',
    'Every operation of the [REST API](../guides/rest.md). [The interactive reference](rest-explorer.md) also shows the schemas of responses and runs requests; `/openapi.json` is the same for programs.',
    ...sections,
  ].join('\n\n')}\n`;
}

function describeOperation(
  name: string,
  { operationId, summary, description, parameters = [] }: Operation,
  access: (typeof routes)[number]['access'],
): string[] {
  const scope = access === 'device-token' ? access : findTokenScope({ name, access });
  const rows = parameters.map(resolve).map((parameter) => {
    const place = parameter.required ? `${parameter.in}, required` : parameter.in;
    return [`\`${parameter.name}\``, place, toCell(parameter.description ?? '')];
  });
  return [
    // The path stands in the title, since people search for it.
    `### ${operationId}: ${name} {#${operationId}}`,
    ...[summary, description].filter((text) => text !== undefined && text !== ''),
    `**Access:** ${formatAccess(scope)}.`,
    ...(rows.length > 0 ? [toTable(['Parameter', 'In', 'Description'], rows)] : []),
  ] as string[];
}

function formatAccess(scope: string | null): string {
  if (scope === 'device-token') return "a display's token, in the path";
  if (scope === null) return 'no API token';
  return scope === 'any' ? 'public' : `an API token with the scope \`${scope}\``;
}

function resolve(parameter: Parameter | { $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const name = parameter.$ref.replace('#/components/parameters/', '');
  return (document.components.parameters as unknown as Record<string, Parameter>)[
    name
  ] as Parameter;
}
