import { z } from 'zod';
import { toPascalCase } from '../../src/core/letter-case.ts';
import { CHANGE_TYPES, type ChangeType, toSubjectName } from '../../src/journal/catalog.ts';
import { listColumns } from '../../src/journal/shape.ts';
import { SHAPES } from '../../src/journal/shapes.ts';
import { SUBJECTS, type SubjectName } from '../../src/journal/subjects.ts';
import { findMessageObject, isObjectName, OBJECTS } from '../../src/objects/object-table.ts';
import { OBJECT_ROUTES } from '../../src/rest/object-routes.ts';
import { buildOpenapiDocument } from '../../src/rest/openapi/document.ts';
import { routes } from '../../src/rest/route-table.ts';

const NAMES = Object.keys(SUBJECTS) as SubjectName[];

describe.each(NAMES)('the columns that the journal records of %s', (name) => {
  const columns = Object.keys(SUBJECTS[name].fields.shape);
  const { fields = {}, leftOut = {} } = SHAPES[name] ?? {};
  const shaped = Object.values(fields).flatMap(listColumns);

  it('are fields of the object in REST, part of one, or left out for a reason', () => {
    const shown = isObjectName(name) ? Object.keys(OBJECTS[name].schema.shape) : columns;
    const missing = columns.filter(
      (column) => !shown.includes(column) && !shaped.includes(column) && !(column in leftOut),
    );
    expect(missing).toEqual([]);
    expect(Object.keys(fields).filter((field) => !shown.includes(field))).toEqual([]);
    for (const reason of Object.values(leftOut)) expect(reason).toMatch(/^[A-Z].{10,}$/);
  });

  it('include all that shapes are made of', () => {
    const unknown = [...shaped, ...Object.keys(leftOut)].filter(
      (column) => !columns.includes(column),
    );
    expect(unknown).toEqual([]);
  });
});

const document = buildOpenapiDocument(routes, {
  baseUrl: 'http://foyer.test',
  mailFrom: 'Foyer <a@foyer.test>',
});

/** The named schema of the object in messages of this type, if they contain one. */
function getMessageObject(type: ChangeType): unknown {
  const name = `${toPascalCase(toSubjectName(type))}Message`;
  const { allOf } = document.components.schemas[name] as { allOf: [object, Described] };
  return allOf[1].properties.data?.properties;
}

/** What `GET` of one object returns. */
function getData(path: string): Record<string, unknown> {
  const { get } = document.paths[path] as { get: { responses: Record<number, Response> } };
  return get.responses[200]?.content['application/json'].schema.properties.data?.properties ?? {};
}

interface Described {
  properties: { data?: { properties: Record<string, unknown> } };
}
interface Response {
  content: { 'application/json': { schema: Described } };
}

describe('the objects of REST', () => {
  /** The paths of names of other objects that stand without the id of the object. */
  const listNamesWithoutIds = (schema: JsonSchema, path: string): string[] => {
    const { properties = {}, items, anyOf = [], $ref } = schema;
    if ($ref) return listNamesWithoutIds(definitions[$ref.split('/').at(-1) as string] ?? {}, path);
    return [
      ...Object.keys(properties)
        .filter((name) => /_name$/.test(name) && !(name.replace(/_name$/, '_id') in properties))
        .map((name) => `${path}.${name}`),
      ...Object.entries(properties).flatMap(([name, one]) =>
        listNamesWithoutIds(one, `${path}.${name}`),
      ),
      ...[items ?? [], anyOf].flat().flatMap((one) => listNamesWithoutIds(one, path)),
    ];
  };
  const definitions = document.components.schemas as Record<string, JsonSchema>;

  it('show the name of another object beside its id, so that copies know what to read again', () => {
    const names = Object.keys(OBJECTS).flatMap((name) =>
      listNamesWithoutIds(
        z.toJSONSchema(OBJECTS[name as keyof typeof OBJECTS].schema, {
          unrepresentable: 'any',
        }) as JsonSchema,
        name,
      ),
    );
    expect(names).toEqual([]);
  });
});

interface JsonSchema {
  $ref?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

describe('the messages of webhooks', () => {
  const isShownByRest = (type: ChangeType) =>
    (findMessageObject(type)?.name ?? '') in OBJECT_ROUTES;
  it.each(CHANGE_TYPES.filter(isShownByRest))(
    'about %s contain the object as GET describes it',
    (type) => {
      const shown = findMessageObject(type) as { name: keyof typeof OBJECT_ROUTES };
      const { path } = OBJECT_ROUTES[shown.name];
      const object = getData(`/${path}/{id}`)[shown.name] as { $ref: string };
      expect(object.$ref).toMatch(/^#/);
      expect(getMessageObject(type)).toMatchObject({ [shown.name]: { $ref: object.$ref } });
    },
  );
});
