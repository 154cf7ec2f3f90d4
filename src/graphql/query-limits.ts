import { EnvelopArmor } from '@escape.tech/graphql-armor';
import {
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';

export const MAX_QUERY_DEPTH = 10;
export const MAX_QUERY_FIELDS = 200;
export const MAX_QUERY_SELECTIONS = 2_000;
export const MAX_QUERY_ALIASES = 15;
export const MAX_QUERY_DIRECTIVES = 50;
export const MAX_QUERY_TOKENS = 1_000;
export const MAX_QUERY_CHARACTERS = 20_000;

/** Limits the text of a document. Yoga keeps the result with the document. `query-cost.ts` limits what it returns. */
export const createDocumentLimits = (): Plugin[] => [
  { onParams: ({ params }) => assertShort(params.query ?? '') },
  ...(new EnvelopArmor({
    blockFieldSuggestion: { enabled: false }, // the schema is public
    costLimit: { enabled: false },
    maxAliases: { n: MAX_QUERY_ALIASES },
    maxDepth: { n: MAX_QUERY_DEPTH, flattenFragments: true },
    maxDirectives: { n: MAX_QUERY_DIRECTIVES },
    maxTokens: { n: MAX_QUERY_TOKENS },
  }).protect().plugins as Plugin[]),
  { onValidate: ({ addValidationRule }) => addValidationRule(limitSelections) },
];

const ADVICE = {
  aliases: 'Request fewer of them, or send several requests.',
  levels: 'Select fewer levels below each other, or send several requests.',
  directives: 'Use fewer of them.',
  tokens: 'Shorten the document, or send several requests.',
  characters: 'Shorten the document, use variables, or send several requests.',
  fields: 'Select fewer of them, or send several requests.',
  selections: 'Use fewer fragments, or send several requests.',
};

function createLimitError(what: keyof typeof ADVICE, limit: number, found?: number): GraphQLError {
  const count = found === undefined ? `more than ${format(limit)}` : format(found);
  return new GraphQLError(
    `The query has ${count} ${what}; at most ${format(limit)} are allowed. ${ADVICE[what]}`,
    {
      extensions: {
        code: 'BAD_REQUEST',
        reason: 'QUERY_TOO_COMPLEX',
        limit,
        http: { status: 400 },
      },
    },
  );
}

const format = (count: number) => count.toLocaleString('en');

const ARMOR_MESSAGE =
  /^Syntax Error: (Aliases|Query depth|Directives|Token) limit of (\d+) exceeded(?:, found (\d+))?\.$/;

const ARMOR_NAMES: Record<string, keyof typeof ADVICE> = {
  Aliases: 'aliases',
  'Query depth': 'levels',
  Directives: 'directives',
  Token: 'tokens',
};

/** Returns the error of a limit of GraphQL Armor in our words, or null for any other error. */
export function translateLimitError({ message }: GraphQLError): GraphQLError | null {
  const [, name = '', limit, found] = ARMOR_MESSAGE.exec(message) ?? [];
  const what = ARMOR_NAMES[name];
  if (what === undefined) return null;
  return createLimitError(what, Number(limit), found === undefined ? undefined : Number(found));
}

/** Comments and strings are not tokens, and several caches keep the texts of documents. */
function assertShort(query: string): void {
  if (query.length > MAX_QUERY_CHARACTERS)
    throw createLimitError('characters', MAX_QUERY_CHARACTERS, query.length);
}

interface SelectionCount {
  fields: number;
  /** Infinity for fragments that repeat fragments often enough. */
  selections: number;
}

/**
 * Limits the fields and the selections of an operation. Each use of a fragment counts what it contains. The fields of the
 * introspection are selections only. Rejects before any other rule or planner walks through fragments of fragments.
 */
function limitSelections(context: ValidationContext): ASTVisitor {
  const counts = new Map<FragmentDefinitionNode, SelectionCount>();

  function countFragment(fragment: FragmentDefinitionNode | null | undefined): SelectionCount {
    if (!fragment) return { fields: 0, selections: 0 };
    const known = counts.get(fragment);
    if (known !== undefined) return known;
    counts.set(fragment, { fields: 0, selections: 0 }); // a cycle has an error of its own
    const count = countSelections(fragment.selectionSet);
    counts.set(fragment, count);
    return count;
  }

  function countBelow(node: SelectionNode): SelectionCount {
    if (node.kind === Kind.FRAGMENT_SPREAD)
      return countFragment(context.getFragment(node.name.value));
    const below = node.selectionSet
      ? countSelections(node.selectionSet)
      : { fields: 0, selections: 0 };
    if (node.kind === Kind.INLINE_FRAGMENT) return below;
    const fields = node.name.value.startsWith('__') ? 0 : 1 + below.fields;
    return { fields, selections: below.selections };
  }

  function countSelections({ selections: nodes }: SelectionSetNode): SelectionCount {
    let fields = 0;
    let selections = nodes.length;
    for (const node of nodes) {
      const below = countBelow(node);
      fields += below.fields;
      selections += below.selections;
    }
    return { fields, selections };
  }

  return {
    [Kind.DOCUMENT]: ({ definitions }: DocumentNode) => {
      for (const definition of definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
        const { selections } = countSelections(definition.selectionSet);
        if (selections > MAX_QUERY_SELECTIONS)
          throw createLimitError('selections', MAX_QUERY_SELECTIONS);
      }
    },
    [Kind.OPERATION_DEFINITION]: ({ selectionSet }: OperationDefinitionNode) => {
      const { fields } = countSelections(selectionSet);
      if (fields > MAX_QUERY_FIELDS)
        context.reportError(createLimitError('fields', MAX_QUERY_FIELDS, fields));
    },
  };
}
