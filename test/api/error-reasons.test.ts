import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatReasons, ignoreColumnWidths, replacePart } from '../../prisma/scripts/docs.ts';
import { ERROR_REASONS } from '../../src/core/error-reasons.ts';
import { printSortedSchema } from '../../src/graphql/schema.ts';
import { MUTATIONS } from '../support/authorization-matrix/mutations.ts';
import { QUERIES } from '../support/authorization-matrix/queries.ts';
import { ROUTES } from '../support/authorization-matrix/routes.ts';
import type { Credential } from '../support/clients/api.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

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
    const listed = components.schemas.ErrorReason.oneOf;
    expect(listed.map(({ const: reason }: { const: string }) => reason)).toEqual(REASONS);
    const { headers } = paths['/members'].get.responses['403'];
    expect(headers['Foyer-Error-Reason']).toEqual({ $ref: '#/components/headers/ErrorReason' });
  });

  it('is documented in docs/errors.md; else run "npm run docs"', () => {
    const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
    const generated = replacePart(page, 'reasons', formatReasons());
    expect(ignoreColumnWidths(page)).toBe(ignoreColumnWidths(generated));
  });
});

describe('every error has a reason from the list', () => {
  // Each operation of the authorization matrix, with an unknown ID, an empty body or a missing scope.
  const callers = async (): Promise<Credential[]> => [
    {},
    { token: 'unknown' },
    { token: await app.token('bookings:read') },
    { cookie: await app.signIn(STAFF.owner) },
  ];

  it('in GraphQL', async () => {
    const found = new Set<string>();
    for (const as of await callers()) {
      for (const { request } of Object.values({ ...QUERIES, ...MUTATIONS })) {
        if (/signOut|signIn/.test(request)) continue;
        const { errors } = await app.graphql(request, {}, as);
        for (const { message, extensions } of errors) {
          if (!REASONS.includes(String(extensions.reason)))
            throw new Error(
              `"${message}" has the reason ${extensions.reason}, which is not listed`,
            );
          found.add(String(extensions.reason));
        }
      }
    }
    expect([...found]).toEqual(
      expect.arrayContaining(['UNAUTHENTICATED', 'MISSING_SCOPE', 'NOT_FOUND', 'INVALID_INPUT']),
    );
    const { errors } = await app.graphql('{ nothing }');
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST', reason: 'INVALID_QUERY' });
  });

  it('in REST, in a header', async () => {
    const found = new Set<string | null>();
    const entries = [...Object.values(ROUTES), { request: '/nothing', body: undefined }];
    for (const as of await callers()) {
      for (const { request, body } of entries) {
        const init = body && {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        };
        const { status, headers } = await app.rest(request, as, init);
        const reason = headers.get('foyer-error-reason');
        expect([
          request,
          status < 400 ? reason === null : REASONS.includes(String(reason)),
        ]).toEqual([request, true]);
        found.add(reason);
      }
    }
    expect([...found]).toEqual(
      expect.arrayContaining(['UNAUTHENTICATED', 'MISSING_SCOPE', 'NOT_FOUND', 'UNKNOWN_PATH']),
    );
  });
});
