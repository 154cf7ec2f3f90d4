import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { buildOpenapiDocument } from '../../src/rest/openapi/document.ts';
import { routes } from '../../src/rest/route-table.ts';

// Fails if a linter finds anything in the OpenAPI document, warnings included: all OpenAPI rules of Spectral, and the
// recommended ones of Redocly.

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

for (const finding of findings) console.error(`openapi.json: ${finding}`);
process.exit(findings.length > 0 ? 1 : 0);
