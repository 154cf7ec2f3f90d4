import {
  type ASTNode,
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
  visitInParallel,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** A document can have hundreds of errors. More of them help nobody, and looking for similar names takes longest. */
const MAX_DOCUMENT_ERRORS = 10;

/**
 * Lets errors about values in the text of a document name their fields, as errors about variables do. Reports the first errors, and
 * suggests other names in the first one only.
 */
export const createInlineValuesPlugin = (): Plugin => ({
  onValidate: ({ setValidationFn }) =>
    setValidationFn(
      (
        schema: GraphQLSchema,
        document: DocumentNode,
        rules: readonly ValidationRule[] = specifiedRules,
      ) => {
        const named = rules.map((rule) =>
          rule === ValuesOfCorrectTypeRule ? checkInlineValues : rule,
        );
        const [first] = validate(schema, document, named, { maxErrors: 1 });
        if (first === undefined) return [];
        const limits = { maxErrors: MAX_DOCUMENT_ERRORS, hideSuggestions: true };
        return [first, ...validate(schema, document, named, limits).slice(1)];
      },
    ),
});

type Containers = readonly (ASTNode | readonly ASTNode[])[];

/** The rule of graphql-js. Its errors get the path of the value, which begins with the name of the argument. */
function checkInlineValues(context: ValidationContext): ASTVisitor {
  let findField = () => '';
  const named = Object.create(context, {
    reportError: {
      value: (error: GraphQLError) => context.reportError(nameField(error, findField())),
    },
  });
  return visitInParallel([
    {
      enter: (node, _key, parent, path, ancestors) => {
        findField = () =>
          formatPath(node, [...path], parent ? [...ancestors, parent] : [...ancestors]);
      },
    },
    ValuesOfCorrectTypeRule(named),
  ]);
}

/** `path[n]` is the key of a node or an array in `containers[n]`. */
function formatPath(
  node: ASTNode,
  path: readonly (string | number)[],
  containers: Containers,
): string {
  const nodes = [...containers, node];
  return nodes
    .flatMap((item, n) => {
      if (Array.isArray(item)) {
        const list = nodes[n - 1];
        return list && 'kind' in list && list.kind === Kind.LIST ? [String(path[n])] : [];
      }
      const isNamed =
        'kind' in item && (item.kind === Kind.ARGUMENT || item.kind === Kind.OBJECT_FIELD);
      return isNamed ? [item.name.value] : [];
    })
    .join('.');
}

/** Scalars report what is wrong with a value, but not where. */
function nameField(error: GraphQLError, field: string): GraphQLError {
  if (field === '') return error;
  const { message, nodes } = error;
  const isOfScalar = nodes === undefined;
  return new GraphQLError(isOfScalar ? `${field}: ${message}` : message, {
    nodes,
    originalError: error.originalError,
    extensions: { ...error.extensions, fields: [{ field, message }] },
  });
}
