import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { formatReasons, ignoreColumnWidths, replacePart } from '../../prisma/scripts/docs.ts';
import { ERROR_REASONS } from '../../src/core/error-reasons.ts';
import { printSortedSchema } from '../../src/graphql/schema.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

const REASONS = Object.keys(ERROR_REASONS);
const source = new URL('../../src/', import.meta.url).pathname;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

describe('the list of error reasons', () => {
  it('is sorted alphabetically, one line each', () => {
    expect(REASONS).toEqual([...REASONS].sort());
    const lines = readFileSync(join(source, 'core/error-reasons.ts'), 'utf8').split('\n');
    expect(lines.filter((line) => /^ {2}[A-Z_]+: '[^']+\.',$/.test(line))).toHaveLength(
      REASONS.length,
    );
  });

  it('contains only reasons that the code uses', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !/^(web|db.generated|core.error-reasons)/.test(file),
    );
    const code = files.map((file) => readFileSync(join(source, file), 'utf8')).join('\n');
    expect(REASONS.filter((reason) => !code.includes(`'${reason}'`))).toEqual([]);
  });

  it('is an enum with descriptions in the GraphQL schema', async () => {
    const values = printSortedSchema().split('enum ErrorReason {\n')[1]?.split('\n}')[0] ?? '';
    expect(values.match(/^ {2}[A-Z_]+$/gm)?.map((line) => line.trim())).toEqual(REASONS);
    const { data } = await app.graphql('{ errorReasons { reason description } }');
    expect(data.errorReasons).toEqual(
      Object.entries(ERROR_REASONS).map(([reason, description]) => ({ reason, description })),
    );
  });

  it('is in the OpenAPI document, as a header of every failure', async () => {
    const { components, paths } = await (await fetch(`${app.url}/openapi.json`)).json();
    expect(components.schemas.ErrorReason.enum).toEqual(REASONS);
    expect(paths['/members'].get.responses['4XX']).toEqual({
      $ref: '#/components/responses/Error',
    });
    const { headers } = components.responses.Error;
    expect(headers['Foyer-Error-Reason']).toEqual({ $ref: '#/components/headers/ErrorReason' });
  });

  it('is documented in docs/errors.md; else run "npm run docs"', () => {
    const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
    const generated = replacePart(page, 'reasons', formatReasons());
    expect(ignoreColumnWidths(page)).toBe(ignoreColumnWidths(generated));
  });
});

// The clients of the tests check the reason of every error, also those of the authorization matrix.
describe('an error with a reason that is not listed', () => {
  it('fails the test that causes it (negative control)', async () => {
    const response = (reason: string) => {
      const errors = [{ message: 'Full', extensions: { code: 'CONFLICT', reason } }];
      return Response.json({ errors }, { status: 409, headers: { 'foyer-error-reason': reason } });
    };
    const respond = jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => response('FULL'));
    await expect(app.graphql('{ nothing }')).rejects.toThrow('FULL, which is not listed');
    await expect(app.rest('/nothing')).rejects.toThrow('FULL, which is not listed');
    respond.mockImplementation(async () => response('NOT_FOUND'));
    expect((await app.graphql('{ nothing }')).codes).toEqual(['CONFLICT']);
    respond.mockRestore();
  });
});
