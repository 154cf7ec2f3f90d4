import { z } from 'zod';
import { parseInput } from '../../src/core/validation.ts';
import { type Credential, startApp, type TestApp } from '../support/app.ts';
import { expectFailure } from '../support/envelope.ts';

let app: TestApp;
let writer: Credential;

beforeAll(async () => {
  app = await startApp();
  writer = { token: await app.token('members:read', 'members:write') };
});
afterAll(() => app.stop());

const refusal = (schema: z.ZodType, value: unknown) => {
  try {
    return parseInput(z.object({ it: schema }), { it: value });
  } catch (error) {
    return (error as Error).message;
  }
};

describe('what a caller wrote wrongly', () => {
  it.each([
    ['nothing', z.string(), undefined, 'is missing'],
    ['no choice', z.enum(['a', 'b']), undefined, 'is missing'],
    ['an empty text', z.string().trim().min(1), ' ', 'must not be empty'],
    ['a short text', z.string().min(12), 'x', 'must have at least 12 characters'],
    ['a long text', z.string().max(2), 'xyz', 'must have at most 2 characters'],
    ['an empty list', z.array(z.string()).min(1), [], 'must not be empty'],
    ['a long list', z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 entries'],
    ['a small number', z.int().min(1), 0, 'must be at least 1'],
    ['a large number', z.int().max(44_640), 44_641, 'must be at most 44640'],
    ['a broken number', z.int(), 1.5, 'must be a whole number'],
    ['a number for a text', z.string(), 5, 'must be a text'],
    ['a text for a number', z.int(), '5', 'must be a number'],
    ['null', z.boolean(), null, 'must be true or false'],
    ['no e-mail address', z.email(), 'x', 'must be an e-mail address'],
    ['no id', z.uuid(), 'x', expect.stringMatching(/^it: must be an id such as [0-9a-f-]{36}$/)],
    ['no choice of these', z.enum(['a', 'b', 'c']), 'd', 'must be one of a, b, c'],
    ['no date', z.iso.date(), '2026-02-30', 'must be a real date such as 2026-01-31'],
    ['a form that has no words', z.string().regex(/^x$/), 'y', 'is not understood'],
    ['what has words of its own', z.uuid('ours'), 'y', 'ours'],
    ['what has words of its own in a check', z.int().max(1, 'ours'), 2, 'ours'],
  ])('is told in plain words: %s', (_, schema, value, words) => {
    const expected = typeof words === 'string' ? `it: ${words}` : words;
    expect(refusal(schema, value)).toEqual(expected);
  });

  it('is told for each key that is not known, however deep it lies', () => {
    const schema = z.strictObject({ guest: z.strictObject({ name: z.string() }) });
    let details: unknown;
    try {
      parseInput(schema, { guest: { name: 'Kim', colour: 1, size: 2 }, x: 3 });
    } catch (error) {
      ({ details } = error as { details: unknown });
    }
    expect(details).toEqual({
      reason: 'INVALID_INPUT',
      fields: ['guest.colour', 'guest.size', 'x'].map((field) => ({
        field,
        message: 'is not known here',
      })),
    });
  });

  it('reads the same through both doors', async () => {
    const { errors } = await app.graphql(
      'mutation { createMember(input: { name: " ", email: "x" }) { id } }',
      {},
      writer,
    );
    const told = 'name: must not be empty; email: must be an e-mail address';
    expect(errors[0]?.message).toBe(told);
    const rest = await app.rest('/members', writer, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: ' ', email: 'x', colour: 'red' }),
    });
    expectFailure(rest, 422, `${told}; colour: is not known here`);
  });
});
