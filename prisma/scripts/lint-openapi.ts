import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { buildOpenapiDocument } from '../../src/rest/openapi/document.ts';
import { routes } from '../../src/rest/route-table.ts';

// Fails if a linter finds anything in the OpenAPI document, warnings included: all OpenAPI rules of Spectral, the
// recommended ones of Redocly, and a rule of our own.

const document = buildOpenapiDocument(routes, {
  baseUrl: 'https://foyer.test',
  mailFrom: 'Foyer <hello@foyer.test>',
});

const linter = new spectral.Spectral();
linter.setRuleset({ extends: [[rulesets.oas as never, 'all']] });
const findings = (await linter.run(document)).map(
  ({ code, path, message }) => `${code} ${path.join('.')}: ${message}`,
);

const problems = await lintFromString({
  source: JSON.stringify(document),
  config: await createConfig({ extends: ['recommended'] }),
});
for (const { ruleId, message, location } of problems)
  findings.push(`${ruleId} ${location[0]?.pointer}: ${message}`);

findings.push(...findConstants(document, '#'));

for (const finding of findings) console.error(`openapi.json: ${finding}`);
process.exit(findings.length > 0 ? 1 : 0);

/** Single values are written as `type` and `enum`, which generators of clients read more reliably than `const`. */
function findConstants(value: unknown, pointer: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = 'const' in value ? [`no-const ${pointer}: write type and enum instead`] : [];
  return [
    ...found,
    ...Object.entries(value).flatMap(([key, member]) => findConstants(member, `${pointer}/${key}`)),
  ];
}
