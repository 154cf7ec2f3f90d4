import type { DateOrder } from '../../../src/imports/dates.ts';
import { importMembers } from '../../../src/imports/import-members.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';

interface Options {
  plans?: { name: string; plan: string | null }[];
  update?: boolean;
  dryRun?: boolean;
  createTeams?: boolean;
  rejectProblems?: boolean;
  sendEmails?: boolean;
  lineOffset?: number;
  dateOrder?: DateOrder | undefined;
}

/** Opens a database for the tests of a file, which imports lists into it. Each test begins without members and teams. */
export function setUpMemberImports() {
  const opened: { database?: TestDatabase } = {};
  const getContext = () => {
    if (opened.database === undefined) throw new Error('The database opens before the first test.');
    return opened.database.ctx;
  };
  beforeAll(async () => {
    opened.database = await openTestDatabase();
  });
  afterAll(() => opened.database?.close());
  beforeEach(async () => {
    const { db } = getContext();
    await db.membership.deleteMany();
    await db.member.deleteMany();
    await db.team.deleteMany();
  });
  const importFile = (file: Uint8Array, options: Options = {}) =>
    importMembers(getContext(), { file, ...options });
  return {
    getContext,
    importFile,
    importText: (text: string, options?: Options) => importFile(Buffer.from(text), options),
    listMembers: () => getContext().db.member.findMany({ orderBy: { email: 'asc' } }),
  };
}
