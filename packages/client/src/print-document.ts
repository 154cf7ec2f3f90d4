/** What the nodes of a parsed document have, by the specification of GraphQL's syntax tree that all parsers share. */
interface SyntaxNode {
  readonly kind: string;
  readonly operation?: string;
  readonly name?: SyntaxNode | undefined;
  readonly alias?: SyntaxNode | undefined;
  readonly value?: SyntaxNode | string | boolean;
  readonly values?: readonly SyntaxNode[];
  readonly fields?: readonly SyntaxNode[];
  readonly variable?: SyntaxNode;
  readonly type?: SyntaxNode;
  readonly typeCondition?: SyntaxNode | undefined;
  readonly defaultValue?: SyntaxNode | undefined;
  readonly arguments?: readonly SyntaxNode[] | undefined;
  readonly directives?: readonly SyntaxNode[] | undefined;
  readonly variableDefinitions?: readonly SyntaxNode[] | undefined;
  readonly selectionSet?: SyntaxNode | undefined;
  readonly selections?: readonly SyntaxNode[];
}

/** Prints a parsed document as text that GraphQL understands, so that no GraphQL library is needed at run time. */
export const printDocument = ({ definitions }: { definitions: readonly unknown[] }): string =>
  definitions.map((definition) => print(definition as SyntaxNode)).join('\n');

function print(node: SyntaxNode): string {
  const name = node.name ? print(node.name) : '';
  switch (node.kind) {
    case 'OperationDefinition':
      return `${node.operation} ${name}${list('(', node.variableDefinitions, ')')}${end(node)}`;
    case 'FragmentDefinition':
      return `fragment ${name}${condition(node)}${end(node)}`;
    case 'VariableDefinition':
      return `${child(node.variable)}:${child(node.type)}${child(node.defaultValue, '=')}${end(node)}`;
    case 'SelectionSet':
      return list('{', node.selections, '}');
    case 'Field':
      return `${child(node.alias, '', ':')}${name}${list('(', node.arguments, ')')}${end(node)}`;
    case 'FragmentSpread':
      return `...${name}${end(node)}`;
    case 'InlineFragment':
      return `...${condition(node)}${end(node)}`;
    case 'Directive':
      return `@${name}${list('(', node.arguments, ')')}`;
    case 'Argument':
    case 'ObjectField':
      return `${name}:${child(node.value as SyntaxNode)}`;
    case 'Variable':
      return `$${name}`;
    case 'NamedType':
      return name;
    case 'ListType':
      return `[${child(node.type)}]`;
    case 'NonNullType':
      return `${child(node.type)}!`;
    case 'ListValue':
      return `[${node.values?.map(print).join(' ')}]`;
    case 'ObjectValue':
      return `{${node.fields?.map(print).join(' ')}}`;
    case 'StringValue':
      return JSON.stringify(node.value);
    case 'NullValue':
      return 'null';
    default: // names, numbers, enum values and booleans
      return String(node.value);
  }
}

const child = (node: SyntaxNode | undefined, before = '', after = '') =>
  node ? before + print(node) + after : '';

const list = (before: string, nodes: readonly SyntaxNode[] = [], after: string) =>
  nodes.length > 0 ? before + nodes.map(print).join(' ') + after : '';

const condition = ({ typeCondition }: SyntaxNode) => child(typeCondition, ' on ');

const end = ({ directives, selectionSet }: SyntaxNode) =>
  list(' ', directives, '') + child(selectionSet);
