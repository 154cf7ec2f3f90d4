import type { Credential } from '../support/clients/api.ts';
import { STAFF, startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let owner: Credential;
beforeAll(async () => {
  app = await startApp();
  owner = { cookie: await app.signIn(STAFF.owner) };
});
afterAll(() => app.stop());

const ID = '01900000-0000-7000-8000-000000000000';

/** The fields that the errors name, and their messages. */
async function findFields(document: string, variables = {}) {
  const { errors } = await app.graphql(document, variables, owner);
  return errors.map(({ message, extensions }) => {
    const [field] = (extensions.fields ?? []) as { field: string; message: string }[];
    return { ...field, whole: message };
  });
}

describe('an error about a value in the text of a document', () => {
  it.each([
    ['{ bookings(filter: { from: "tomorrow" }) { nodes { id } } }', 'filter.from'],
    [
      `{ takings(locationId: "${ID}", from: "2026-02-30", to: "2026-03-01") { sold: total { paymentCount } } }`,
      'from',
    ],
    [
      `mutation { createClosure(input: { locationId: "${ID}", startsOn: "2026-03-01", endsOn: "soon" }) { closure { id } } }`,
      'input.endsOn',
    ],
    [
      `mutation { createBookingSeries(input: { resourceId: "${ID}", startsAt: "later", endsAt: "2026-03-01T10:00:00Z", recurrence: { frequency: WEEKLY, count: 2 } }) { bookings { id } } }`,
      'input.startsAt',
    ],
    ['{ bookings(filter: { status: [CONFIRMED, 7] }) { nodes { id } } }', 'filter.status.1'],
    ['{ bookings(first: "many") { nodes { id } } }', 'first'],
    [
      'query ($q: String) { members(filter: { q: $q, status: LOST }) { nodes { id } } }',
      'filter.status',
    ],
  ])('names its field: %s', async (document, field) => {
    const fields = await findFields(document);
    expect(fields.map((found) => found.field)).toContain(field);
  });

  it('says what is wrong with a date, and where, as for variables', async () => {
    const [inline] = await findFields(
      `mutation { createClosure(input: { locationId: "${ID}", startsOn: "2026-02-30", endsOn: "2026-03-01" }) { closure { id } } }`,
    );
    const [variable] = await findFields(
      'mutation ($input: CreateClosureInput!) { createClosure(input: $input) { closure { id } } }',
      { input: { locationId: ID, startsOn: '2026-02-30', endsOn: '2026-03-01' } },
    );
    const message = 'must be a real date such as 2026-01-31';
    expect(inline).toEqual({
      field: 'input.startsOn',
      message,
      whole: `input.startsOn: ${message}`,
    });
    expect(variable).toMatchObject({ field: 'input.startsOn', message });
  });
});
