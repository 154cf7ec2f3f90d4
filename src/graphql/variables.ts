import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  print,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import { findSizeProblem, type SizeProblem, truncateForMessage } from '../core/input-size.ts';

/** Variables of a request, coerced. */
export type Variables = Record<string, unknown>;

type CoercionResult =
  | { coerced: Variables; errors?: never }
  | { coerced?: never; errors: GraphQLError[] };

/** More errors help nobody, and a body can contain tens of thousands. */
export const MAX_VARIABLE_ERRORS = 10;

/** The result for the variables of a request, which several parts read. They do not change them. */
const results = new WeakMap<
  Variables,
  { operation: OperationDefinitionNode; result: CoercionResult }
>();

/** Coerces the variables of an operation: see `coerceAll`. Does the work once for each request. */
export function coerceVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  inputs: Variables | null | undefined,
): CoercionResult {
  const known = inputs ? results.get(inputs) : undefined;
  if (known?.operation === operation) return known.result;
  const result = coerceAll(schema, operation, inputs);
  if (inputs) results.set(inputs, { operation, result });
  return result;
}

/**
 * Coerces the variables of an operation. Everything that reads variables uses it, and a request with errors is not executed. The
 * errors contain no values, because a value can be a password next to a typo. The time depends only linearly on the size of the
 * variables: `getVariableValues` of graphql-js quotes the whole value in every error.
 */
function coerceAll(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  inputs: Variables | null | undefined,
): CoercionResult {
  const tooLarge = findSizeProblem('The variables have', inputs);
  if (tooLarge) return { errors: [createSizeError(tooLarge)] };
  const errors: GraphQLError[] = [];
  const coerced: Variables = {};
  try {
    for (const definition of variableDefinitions)
      coerceVariable(schema, definition, inputs ?? {}, coerced, (message, field) => {
        if (errors.length === MAX_VARIABLE_ERRORS) throw new TooManyErrors();
        errors.push(createVariableError(definition, message, field));
      });
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
    const message = `The variables have more than ${MAX_VARIABLE_ERRORS} errors. Correct the first ${MAX_VARIABLE_ERRORS}, then try again.`;
    errors.push(new GraphQLError(message));
  }
  return errors.length === 0 ? { coerced } : { errors };
}

class TooManyErrors extends Error {}

const createSizeError = ({ message, limit }: SizeProblem) =>
  new GraphQLError(message, {
    extensions: {
      code: 'BAD_REQUEST',
      reason: 'QUERY_TOO_COMPLEX',
      limit,
      http: { status: 400 },
    },
  });

/** The value that is wrong, and what is wrong with it. */
interface InvalidVariableField {
  /** The path of the value, which begins with the name of the variable: `input.startsAt`. */
  field: string;
  message: string;
}

const createVariableError = (
  definition: VariableDefinitionNode,
  message: string,
  field: InvalidVariableField = {
    field: truncateForMessage(definition.variable.name.value),
    message,
  },
) =>
  new GraphQLError(`Variable "$${truncateForMessage(definition.variable.name.value)}" ${message}`, {
    nodes: definition,
    extensions: { fields: [field] },
  });

function coerceVariable(
  schema: GraphQLSchema,
  { variable, type: typeNode, defaultValue }: VariableDefinitionNode,
  inputs: Variables,
  coerced: Variables,
  onError: (message: string, field?: InvalidVariableField) => void,
): void {
  const name = variable.name.value;
  const type = typeFromAST(schema, typeNode as never) as GraphQLInputType | undefined;
  if (!isInputType(type)) {
    onError(
      `has the type "${truncateForMessage(print(typeNode))}", which cannot be the type of a variable.`,
    );
    return;
  }
  if (!Object.hasOwn(inputs, name)) {
    if (defaultValue) coerced[name] = valueFromAST(defaultValue, type);
    else if (isNonNullType(type)) onError(`of required type "${type}" was not provided.`);
    return;
  }
  const value = inputs[name];
  if (value === null && isNonNullType(type)) {
    onError(`of non-null type "${type}" must not be null.`);
    return;
  }
  coerced[name] = coerceInputValue(
    value,
    type,
    (path, _, error) => {
      const message = describeError(error);
      const field = [truncateForMessage(name), ...path].join('.');
      onError(`is invalid: ${formatPath(name, path)}${message}.`, { field, message });
    },
    true,
  );
}

function formatPath(variable: string, path: readonly (string | number)[]): string {
  if (path.length === 0) return '';
  const below = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`));
  return `at "${truncateForMessage(variable)}${below.join('')}"; `;
}

const UNKNOWN_ENUM_VALUE = ' does not exist in ';
const UNKNOWN_FIELD = '" is not defined by type ';

/**
 * Removes the value from the message of an error, in the wording of graphql-js. The value is between two parts of known texts, so no
 * pattern has to be searched in it.
 */
function describeError({ message }: GraphQLError): string {
  const text = message.endsWith('.') ? message.slice(0, -1) : message;
  if (text.startsWith('Value "')) {
    const end = text.lastIndexOf(UNKNOWN_ENUM_VALUE);
    return end === -1 ? 'has an unknown value' : text.slice(end + 1);
  }
  if (text.startsWith('Field "')) {
    const end = text.lastIndexOf(UNKNOWN_FIELD);
    return end === -1 ? text : `Field "${truncateForMessage(text.slice(7, end))}${text.slice(end)}`;
  }
  const value = text.indexOf(' value: ');
  return value === -1 ? text : text.slice(0, value + ' value'.length);
}
