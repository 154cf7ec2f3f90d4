import { readFileSync } from 'node:fs';
import { isInputObjectType, Kind, parse } from 'graphql';
import { EDIT_FORMS, OTHER_MUTATIONS } from '../e2e/forms/edit-forms.ts';
import { readPublishedSchema } from '../support/harness/worker/published-schema.ts';

const schema = readPublishedSchema();
const documents: Record<string, string> = JSON.parse(
  readFileSync('src/web/gql/persisted-documents.json', 'utf8'),
);

const takesVersion = (input: string): boolean => {
  const type = schema.getType(input);
  if (!isInputObjectType(type)) return false;
  return Object.values(type.getFields()).some(
    ({ name, type }) =>
      name === 'ifUpdatedAt' || String(type).replace(/[[\]!]/g, '') === 'ResourceVersionInput',
  );
};

/** The names of the mutations of the pages whose input can carry the version of a row. */
const listVersionedMutations = () =>
  Object.values(documents)
    .flatMap((document) => parse(document).definitions)
    .flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      (definition.variableDefinitions ?? []).some(({ type }) => {
        const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
        return named.kind === Kind.NAMED_TYPE && takesVersion(named.name.value);
      })
        ? [definition.name?.value]
        : [],
    );

it('lists every form of the panel that sends a version, so that the browser opens it twice', () => {
  const listed = [...EDIT_FORMS.map(({ mutation }) => mutation), ...Object.keys(OTHER_MUTATIONS)];
  expect(listed.sort()).toEqual(listVersionedMutations().sort());
});
