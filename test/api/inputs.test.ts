import { readdirSync, readFileSync } from 'node:fs';
import { coerceInputValue, execute, type GraphQLInputType, parse, printType } from 'graphql';
import { z } from 'zod';
import { anyId, calendarDate, ignoreNull, orDefault, uuid } from '../../src/core/validation.ts';
import { builder as appBuilder } from '../../src/graphql/builder.ts';
import { createInputFunctions } from '../../src/graphql/zod-input.ts';
import { toRestSchema } from '../../src/rest/input-schema.ts';

// Of the class that knows the plugin. The builder of the service is shared by all test files.
const Builder = appBuilder.constructor as new (options: object) => typeof appBuilder;
const builder = new Builder({ plugins: ['zodInput'], defaultFieldNullability: false });
const { createInputType, createArgs, withArgs } = createInputFunctions(builder);

const isInstant = (json: unknown) => typeof json === 'string' && /^\d{4}-.*T.*Z$/.test(json);
const toInstant = (json: unknown) => (isInstant(json) ? new Date(String(json)) : json);
builder.scalarType('DateTime', {
  serialize: String,
  parseValue: (json) => {
    if (!isInstant(json)) throw new Error('no time');
    return toInstant(json) as Date;
  },
});
builder.scalarType('Date', { serialize: String, parseValue: (json) => calendarDate.parse(json) });
builder.enumType('Choice', { values: { ONE: { value: 'one' }, TWO: { value: 'two' } } as const });
const part = z.strictObject({ name: z.string(), note: z.string().optional() });
createInputType('PartInput', part);

const UUID = '0198f2c4-7d1e-7a3b-9c55-2f6d8e1b4a70';

/** A schema of each kind, a value for its default, and what GraphQL makes of a JSON value. */
const KINDS = {
  string: [z.string(), 'x'],
  id: [anyId, 'x'],
  uuid: [uuid, UUID],
  int: [z.int().min(0), 1],
  float: [z.number(), 1.5],
  boolean: [z.boolean(), false],
  instant: [z.date(), new Date(0), toInstant],
  date: [calendarDate, '2026-01-31'],
  choice: [z.enum(['one', 'two']), 'one', (json: unknown) => (json === 'ONE' ? 'one' : json)],
  object: [part, { name: 'x' }],
} as const satisfies Record<string, [z.ZodType, unknown, ((json: unknown) => unknown)?]>;

const parseUpperCase = (schema: z.ZodType) => schema.parse(UUID.toUpperCase());

it.each([
  ['uuid', uuid],
  ['id of any form', anyId],
  ['optional list', uuid.nullable().optional()],
] as const)('writes an id in lower case: %s', (_, schema) => {
  expect(parseUpperCase(schema)).toBe(UUID);
  expect(anyId.parse('Some-Slug')).toBe('Some-Slug');
});

it('has no other schema of UUIDs', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.includes('generated') && name !== 'core/validation.ts',
  );
  const others = files.filter((name) => readFileSync(`src/${name}`, 'utf8').includes('z.uuid('));
  expect(others).toEqual([]);
});

const VALUES = {
  text: 'abc',
  uuid: UUID,
  date: '2026-01-31',
  instant: '1970-01-01T00:00:00Z',
  choice: 'ONE',
  int: 3,
  float: 1.5,
  boolean: true,
  object: { name: 'x' },
  'object with null': { name: 'x', note: null },
  'object without name': { note: 'x' },
  null: null,
  absent: undefined,
};

const FORMS: Record<string, (schema: z.ZodType, value: unknown) => z.ZodType> = {
  required: (schema) => schema,
  optional: (schema) => schema.optional(),
  nullish: (schema) => schema.nullish(),
  default: (schema, value) => schema.default(value),
  prefault: (schema, value) => schema.prefault(value),
  ignoreNull,
  orDefault: (schema) => orDefault(schema, null),
  converted: (schema) => schema.transform((value) => [value]),
};

interface Case {
  name: string;
  schema: z.ZodObject;
  kind: keyof typeof KINDS;
  form: string;
  isList: boolean;
}

/** Every kind in every form, alone and in a list. */
const CASES = Object.entries(KINDS).flatMap(([kind, [schema, value]]) =>
  Object.entries(FORMS).flatMap(([form, apply]) =>
    [false, true].map((isList): Case => {
      const field = isList ? apply(z.array(schema), [value]) : apply(schema, value);
      const name = `${kind}_${form}_${isList ? 'list' : 'single'}`;
      return { name, schema: z.object({ field }), kind: kind as keyof typeof KINDS, form, isList };
    }),
  ),
);
for (const { name, schema } of CASES) createInputType(name, schema);

const sample = z
  .object({
    id: z.uuid().meta({ description: 'Its id' }),
    parts: z.array(part).optional(),
    choice: z.enum(['one', 'two']).default('one').meta({ description: 'Which one' }),
    size: z.int().prefault(10),
    until: ignoreNull(z.date()),
  })
  .meta({ description: 'A sample' })
  .transform(({ id, ...rest }) => ({ key: id, ...rest }));
const SampleInput = createInputType('SampleInput', sample);

builder.queryType({});
const pageArgs = z.object({ size: z.int().max(5).optional(), part: part.optional() });
builder.queryFields((t) => ({
  byInput: t.string({
    args: { input: t.arg({ type: SampleInput, required: true }) },
    resolve: (_, { input }) => JSON.stringify([input.key, input]),
  }),
  byArgs: t.string({
    ...withArgs(pageArgs, (args) => JSON.stringify({ size: args.size?.toFixed(), ...args })),
  }),
  mixed: t.string({
    args: { ...createArgs(pageArgs), other: t.arg.string() },
    resolve: (_, args) => JSON.stringify(args),
  }),
}));

const schema = builder.toSchema({ sortSchema: true });

function coerces(type: string, value: unknown): boolean {
  let isValid = true;
  coerceInputValue(value, schema.getType(type) as GraphQLInputType, () => {
    isValid = false;
  });
  return isValid;
}

/** Whether the schema accepts the value, whatever its texts look like. Null stands for an absent field, but not with `.prefault()`. */
function accepts({ schema, kind, form, isList }: Case, value: unknown): boolean {
  const [, , toInternal = (json: unknown) => json] = KINDS[kind] as [
    z.ZodType,
    unknown,
    ((json: unknown) => unknown)?,
  ];
  const convert = (json: unknown) => dropNulls(toInternal(json));
  const field = isList && Array.isArray(value) ? value.map(convert) : convert(value);
  const isOptional = form !== 'prefault' && schema.safeParse({}).success;
  const { error } = schema.safeParse(isOptional && field === null ? {} : { field });
  return error === undefined || error.issues.every(({ code }) => code === 'invalid_format');
}

const dropNulls = (value: unknown) =>
  typeof value === 'object' && value !== null && !(value instanceof Date)
    ? Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null))
    : value;

describe('an input type', () => {
  const given: [string, unknown][] = Object.entries(VALUES).flatMap(([name, value]) => [
    [name, value],
    [`a list of ${name}`, [value ?? null]],
  ]);

  it.each(CASES)('accepts the same kinds as its schema: $name', (it) => {
    const differences = given.filter(([, value]) => {
      // GraphQL accepts a number as an id, and one item as a list.
      if (['id', 'uuid'].includes(it.kind) && [value].flat()[0] === VALUES.int) return false;
      if (it.isList && value != null && !Array.isArray(value)) return false;
      return coerces(it.name, value === undefined ? {} : { field: value }) !== accepts(it, value);
    });
    expect(differences).toEqual([]);
  });

  it('has the types, defaults and descriptions of its schema', () => {
    const type = schema.getType('SampleInput');
    expect(type && printType(type)).toBe(`"""A sample"""
input SampleInput {
  """Which one"""
  choice: Choice = ONE

  """Its id"""
  id: ID!
  parts: [PartInput!]
  size: Int! = 10
  until: DateTime
}`);
  });

  it('needs an enum with exactly the values of the schema', () => {
    const other = new Builder({ plugins: ['zodInput'] });
    const functions = createInputFunctions(other);
    functions.createInputType('ChoiceInput', z.object({ choice: z.enum(['one', 'three']) }));
    expect(() => other.toSchema({})).toThrow(
      'ChoiceInput.choice: 0 enums have exactly the values one, three',
    );
  });
});

describe('a resolver', () => {
  const run = async (query: string) => {
    const { data, errors } = await execute({
      schema,
      document: parse(query),
      contextValue: {},
    });
    const [result] = Object.values(data ?? {});
    return errors?.[0]?.message ?? JSON.parse(String(result));
  };

  it('receives the values that the schema of the input returns', async () => {
    const parts = 'parts: [{ name: "x", note: null }]';
    expect(await run(`{ byInput(input: { id: "${UUID}", ${parts}, until: null }) }`)).toEqual([
      UUID,
      { key: UUID, parts: [{ name: 'x' }], choice: 'one', size: 10 },
    ]);
  });

  it('receives the values that the schema of the arguments returns', async () => {
    expect(await run('{ byArgs(size: null, part: { name: "x", note: null }) }')).toEqual({
      part: { name: 'x' },
    });
    expect(await run('{ mixed(size: 3, other: null) }')).toEqual({ size: 3, other: null });
  });

  it('is not called with invalid values', async () => {
    expect(await run('{ byInput(input: { id: "x" }) }')).toMatch(/^id: must be an id such as /);
    expect(await run('{ byArgs(size: 6) }')).toBe('size: must be at most 5');
  });
});

describe('a REST schema', () => {
  const original = z.object({
    startsAt: z.date(),
    endsAt: ignoreNull(z.date()).meta({ description: 'After startsAt' }),
    dayPasses: z.array(z.object({ validOn: calendarDate, quantity: z.int().default(1) })).min(1),
  });
  const rest = toRestSchema(original, { startsAt: 'For REST' });

  it('accepts snake_case and text, and returns the same values as the original', () => {
    const body = {
      starts_at: '2026-01-31T09:00:00Z',
      ends_at: null,
      day_passes: [{ valid_on: '2026-01-31' }],
    };
    expect(rest.parse(body)).toEqual({
      startsAt: new Date(body.starts_at),
      dayPasses: [{ validOn: '2026-01-31', quantity: 1 }],
    });
  });

  it('rejects unknown keys and names fields in snake_case', () => {
    const { error } = rest.safeParse({ starts_at: 'x', day_passes: [{}], dayPasses: [] });
    expect(error?.issues.map(({ code, path }) => [code, path.join('.')])).toEqual([
      ['invalid_format', 'starts_at'],
      ['invalid_type', 'day_passes.0.valid_on'],
      ['unrecognized_keys', ''],
    ]);
  });

  it('has the descriptions of the original in the names of REST, or its own', () => {
    const { properties } = z.toJSONSchema(rest, { io: 'input', unrepresentable: 'any' });
    expect(properties).toMatchObject({
      starts_at: { description: 'For REST' },
      ends_at: { description: 'After starts_at' },
    });
  });
});
