import { v7 } from 'uuid';
import type { Credential } from '../support/clients/api.ts';
import { makeMember } from '../support/factories/people.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let owner: Credential;
beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
});
afterAll(() => app.stop());

const run = async (name: string, input: object, payload: string) => {
  const inputType = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($input: ${inputType}!) { ${name}(input: $input) { ${payload} } }`;
  const { data, errors } = await app.graphql(document, { input }, owner);
  return { result: (data as Record<string, never> | null)?.[name] as never, errors };
};

const REPORT = 'report { importId imported updated unchanged lines { line outcome reason } }';

describe('a file in parts', () => {
  it('is one import, which updates members, can be listed, and takes no part after its end', async () => {
    const known = await makeMember(app);
    const [first, second] = [v7(), v7()];
    const { result: started } = await run(
      'startImport',
      { kind: 'MEMBERS', fileName: 'list.csv', updatesExisting: true },
      'import { id state startedBy }',
    );
    const { id: importId, ...state } = (started as { import: { id: string } }).import;
    expect(state).toEqual({ state: 'RUNNING', startedBy: expect.any(String) });
    const part = { importId, update: true, skipProblems: true };
    const add = (text: string, lineOffset: number) =>
      run('importMembers', { ...part, lineOffset, file: `name,email,phone\n${text}` }, REPORT);
    await add(`Ada,${first}@example.org,`, 0);
    // An empty cell changes nothing, and the same value neither.
    const { result } = await add(`Grace,${second}@example.org,\nNew Name,${known.email},\n`, 1);
    expect(result).toMatchObject({
      report: {
        ...{ importId, imported: 1, updated: 1 },
        lines: [
          { line: 3, outcome: 'IMPORTED', reason: null },
          { line: 4, outcome: 'UPDATED', reason: 'Changed: name.' },
        ],
      },
    });
    const again = await add(`New Name,${known.email},`, 3);
    expect(again.result).toMatchObject({ report: { updated: 0, unchanged: 1 } });
    expect(await app.ctx.db.member.findUniqueOrThrow({ where: { id: known.id } })).toMatchObject({
      ...{ name: 'New Name', phone: known.phone, company: known.company, status: known.status },
    });

    // The same part once more, as after a lost answer. It is recorded once.
    const resent = await add(`Grace,${second}@example.org,\nNew Name,${known.email},\n`, 1);
    expect(resent.result).toMatchObject({ report: { imported: 0, unchanged: 2 } });

    await run('finishImport', { id: importId }, 'import { state }');
    const late = await add(`Late,${v7()}@example.org,`, 4);
    expect(late.errors).toMatchObject([{ extensions: { reason: 'IMPORT_ENDED' } }]);
    const { data } = await app.graphql(
      `query ($id: ID!, $filter: ImportRowFilter) {
        importById(id: $id) { state fileName importedCount updatedCount unchangedCount skippedCount }
        importRows(first: 5, filter: $filter) { nodes { line outcome reason subjectId } } }`,
      { id: importId, filter: { importId, outcome: 'UPDATED' } },
      owner,
    );
    expect(data).toEqual({
      importById: {
        ...{ state: 'FINISHED', fileName: 'list.csv', importedCount: 2, updatedCount: 1 },
        ...{ unchangedCount: 1, skippedCount: 0 },
      },
      importRows: {
        nodes: [{ line: 4, outcome: 'UPDATED', reason: 'Changed: name.', subjectId: known.id }],
      },
    });
    const { result: undone } = await run(
      'undoImport',
      { id: importId },
      'import { state } report { removed restored problemCount }',
    );
    expect(undone).toEqual({
      import: { state: 'UNDONE' },
      report: { removed: 2, restored: 1, problemCount: 0 },
    });
    expect(await app.ctx.db.member.findUniqueOrThrow({ where: { id: known.id } })).toMatchObject({
      name: known.name,
    });
  });
});
