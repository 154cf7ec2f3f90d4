import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GraphQLOutputType, getNamedType, isObjectType } from 'graphql';
import { schema } from '../../src/graphql/schema.ts';

const SCHEMA = 'prisma/schema';
const source = readdirSync(SCHEMA)
  .map((file) => readFileSync(join(SCHEMA, file), 'utf8'))
  .join('\n');

const models = new Map(
  [...source.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)].map(([, name = '', body = '']) => [
    name,
    body,
  ]),
);

interface Relation {
  name: string;
  /** The model that it leads to. */
  target: string;
}

/** Every field whose type is a model. */
const relations = [...models].flatMap(([model, body]) =>
  [...body.matchAll(/^ {2}(\w+) +(\w+)/gm)].flatMap(([, field, target = '']): Relation[] =>
    models.has(target) ? [{ name: `${model}.${field}`, target }] : [],
  ),
);

/** The models whose GraphQL type has another name. */
const TYPE_NAMES: Record<string, string> = {
  User: 'StaffUser',
  CheckIn: 'CheckInAttempt',
  WebhookEndpoint: 'Webhook',
  DayPassDay: 'DayPassStock',
};

interface Row {
  relation: string;
  field: string;
  remarks: string;
}

const rows: Row[] = readFileSync('docs/relations.md', 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, relation, field = '', remarks = ''] =
      /^\| `(\w+\.\w+)` *\| (?:`(\w+\.\w+)`)? *\| (.*?) *\|$/.exec(line) ?? [];
    return relation === undefined ? [] : [{ relation, field, remarks }];
  });

it('are all in the table', () => {
  expect(relations.length).toBeGreaterThan(100);
  expect(rows.map(({ relation }) => relation).sort()).toEqual(
    relations.map(({ name }) => name).sort(),
  );
});

/** The type of the items of a list, or the type itself. */
function findTarget(outputType: GraphQLOutputType): string {
  const type = getNamedType(outputType);
  const nodes = isObjectType(type) ? type.getFields().nodes : undefined;
  return nodes ? getNamedType(nodes.type).name : type.name;
}

it.each(relations)('$name leads to $target, or the table says why not', ({ name, target }) => {
  const { field = '', remarks = '' } = rows.find(({ relation }) => relation === name) ?? {};
  if (field === '') {
    expect(remarks).toMatch(/^[A-Z`].*\.$/);
    return;
  }
  const [typeName = '', fieldName = ''] = field.split('.');
  const type = schema.getType(typeName);
  const definition = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (definition === undefined) throw new Error(`There is no field ${field}`);
  const found = findTarget(definition.type);
  if (found !== (TYPE_NAMES[target] ?? target)) expect(remarks).not.toBe('');
});
