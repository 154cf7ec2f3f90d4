import { CHANGE_TYPES } from '../../src/journal/catalog.ts';
import { findMessageObject, isObjectName, OBJECTS } from '../../src/journal/objects.ts';
import { listColumns } from '../../src/journal/shape.ts';
import { SHAPES } from '../../src/journal/shapes.ts';
import { SUBJECTS, type SubjectName } from '../../src/journal/subjects.ts';
import { OBJECT_ROUTES } from '../../src/rest/object-routes.ts';
import { buildOpenapiDocument } from '../../src/rest/openapi.ts';
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

/** The parts of the OpenAPI document that describe one object, in GET and in webhook messages. */
interface Described {
  paths: Record<string, { get: { responses: Record<string, { content: Content }> } }>;
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>;
}
type Content = {
  'application/json': { schema: { properties: { data: { properties: Record<string, object> } } } };
};
const getData = (content: Content) => content['application/json'].schema.properties.data.properties;

describe('the messages of webhooks', () => {
  const document = buildOpenapiDocument(routes, 'http://foyer.test') as unknown as Described;

  it.each(CHANGE_TYPES)('about %s contain the object as GET describes it', (type) => {
    const { change, ...objects } = getData(
      document.webhooks[type]?.post.requestBody.content as Content,
    );
    expect(change).toBeDefined();
    const shown = findMessageObject(type);
    expect(Object.keys(objects)).toEqual(shown ? [shown.name] : []);
    if (!shown) return;
    const { path } = OBJECT_ROUTES[shown.name];
    const response = document.paths[`/${path}/{id}`]?.get.responses[200]?.content as Content;
    expect(objects[shown.name]).toHaveProperty('$ref');
    expect(objects[shown.name]).toEqual(getData(response)[shown.name]);
  });
});
