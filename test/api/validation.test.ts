import { z } from 'zod';
import { MAX_INPUT_VALUES } from '../../src/core/input-size.ts';
import { parseInput } from '../../src/core/validation.ts';
import { type Credential, expectErrorEnvelope } from '../support/clients/api.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';

let app: TestApp;
let writer: Credential;

beforeAll(async () => {
  app = await startApp();
  writer = { token: await app.token('members:read', 'members:write') };
});
afterAll(() => app.stop());

const getMessage = (schema: z.ZodType, value: unknown) => {
  try {
    return parseInput(z.object({ it: schema }), { it: value });
  } catch (error) {
    return (error as Error).message;
  }
};

describe('validation messages', () => {
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
    ['a number for a text', z.string(), 5, 'must be text'],
    ['a text for a number', z.int(), '5', 'must be a number'],
    ['null', z.boolean(), null, 'must be true or false'],
    ['no email address', z.email(), 'x', 'must be an email address'],
    ['no id', z.uuid(), 'x', expect.stringMatching(/^it: must be an id such as [0-9a-f-]{36}$/)],
    ['an unknown choice', z.enum(['a', 'b', 'c']), 'd', 'must be one of a, b, c'],
    ['no date', z.iso.date(), '2026-02-30', 'must be a real date such as 2026-01-31'],
    ['a pattern without a message', z.string().regex(/^x$/), 'y', 'is invalid'],
    ['a rule with its own message', z.uuid('ours'), 'y', 'ours'],
    ['a rule with its own message in a check', z.int().max(1, 'ours'), 2, 'ours'],
  ])('describe the problem in plain words: %s', (_, schema, value, words) => {
    const expected = typeof words === 'string' ? `it: ${words}` : words;
    expect(getMessage(schema, value)).toEqual(expected);
  });

  it('list the first of many invalid fields, with short names', () => {
    const keys = Array.from({ length: 3_000 }, (_, n) => [`k${n}`, 1] as const);
    const schema = z.strictObject({});
    const parse = (value: object) => () => parseInput(schema, value);
    expect(parse(Object.fromEntries(keys))).toThrow(
      '2990 more fields are invalid; at most 10 are listed',
    );
    expect(parse({ ['x'.repeat(100_000)]: 1 })).toThrow(/^x{100}…: is not a known field$/);
  });

  it('describe no more issues than they list', () => {
    let described = 0;
    const describe = () => {
      described += 1;
      return `wrong ${described}`;
    };
    const item = z.int({ error: describe });
    const parse = () =>
      parseInput(
        z.array(item),
        Array.from({ length: 1_500 }, () => 'x'),
      );
    expect(parse).toThrow('1490 more fields are invalid');
    expect(described).toBe(10);
  });

  it('name each unknown key at any depth', () => {
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
        message: 'is not a known field',
      })),
    });
  });

  it('are the same in both APIs', async () => {
    const { errors } = await app.graphql(
      'mutation { createMember(input: { name: " ", email: "x" }) { member { id } } }',
      {},
      writer,
    );
    const message = 'name: must not be empty; email: must be an email address';
    expect(errors[0]?.message).toBe(message);
    const rest = await app.rest('/members', writer, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: ' ', email: 'x', colour: 'red' }),
    });
    expectErrorEnvelope(rest, 422, `${message}; colour: is not a known field`);
  });
});

describe('a body above a limit', () => {
  it.each<[what: string, body: string, message: string]>([
    [
      'too many values',
      JSON.stringify({ tags: Array.from({ length: MAX_INPUT_VALUES }, () => 'x') }),
      'The body has more than 5,000 values; at most 5,000 are allowed. Send fewer, or several requests.',
    ],
    [
      'too many levels',
      `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      'The body has more than 20 levels of lists and objects; at most 20 are allowed. Send a flatter value.',
    ],
  ])('gets 400 with the limit: %s', async (_, body, message) => {
    const response = await app.rest('/members', writer, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expectErrorEnvelope(response, 400, message);
  });
});
