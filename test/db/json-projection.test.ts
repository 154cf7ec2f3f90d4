import fc from 'fast-check';
import {
  type Projection,
  projectInstant,
  projectList,
  projectMoney,
  projectNumber,
  projectUnescaped,
  projectWhen,
  toJsonSql,
  toJsonTextSql,
} from '../../src/db/json-projection.ts';
import { prepareStatement } from '../../src/db/prepared-statement.ts';
import { startApp, type TestApp } from '../support/harness/app.ts';
import { checkProperty, propertyRuns } from '../support/harness/property-runs.ts';

// Lists write the JSON as text, single rows as a JSON value. Both must be the same.

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const PROJECTION: Projection = {
  id: projectUnescaped('item.id'),
  freeText: 'item.text',
  unescapedAt: projectUnescaped(projectInstant('item.at')),
  at: projectInstant('item.at'),
  flag: projectNumber('item.flag'),
  price: projectMoney('item.number', 'item.text'),
  tags: 'item.tags',
  inner: { number: projectNumber('item.number'), again: { freeText: 'item.text' } },
  sometimes: projectWhen('item.flag', { freeText: 'item.text' }),
  tagList: projectList({ tag: 'one.tag' }, 'unnest(item.tags) AS one (tag)', 'one.tag'),
};
const READ = prepareStatement(`SELECT ${toJsonTextSql(PROJECTION, 'snake')} AS text,
    ${toJsonTextSql(PROJECTION, 'camel')} AS "camelText", ${toJsonSql(PROJECTION, 'snake')}::text AS value
  FROM (SELECT $1::uuid AS id, $2::text AS text, $3::timestamptz AS at, $4::boolean AS flag, $5::int AS number,
    $6::text[] AS tags) item`);

const text = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('"', '\\', '\n', '\t', '\u0001', "'", '{', '€', '😀'),
      fc.string(),
    ),
  })
  .map((value) => value.replaceAll('\0', ''));
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const values = fc.tuple(
  orNull(fc.uuid()),
  orNull(text),
  orNull(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-01-01'), noInvalidDate: true }),
  ),
  orNull(fc.boolean()),
  orNull(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  orNull(fc.array(text, { maxLength: 3 })),
);

it('writes the same JSON as text and as a value', async () => {
  await checkProperty(
    fc.asyncProperty(values, async (row) => {
      const [found] = await app.ctx.pipelinedSql<Record<'text' | 'camelText' | 'value', string>>(
        READ,
        row,
      );
      const { text = '', camelText = '', value = '' } = found ?? {};
      expect(JSON.parse(text)).toEqual(JSON.parse(value));
      expect(Object.keys(JSON.parse(camelText))).toEqual(Object.keys(PROJECTION));
    }),
    { numRuns: propertyRuns(40) },
  );
});
