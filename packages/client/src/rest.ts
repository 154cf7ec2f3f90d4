import { type Envelope, parseJson, toRestError } from './error-responses.ts';
import { restOperations } from './generated/rest-operations.ts';
import type { operations } from './generated/rest-types.ts';
import { type CallOptions, createIdempotencyKey, type WriteOptions } from './options.ts';
import type { QueryValue, Transport } from './transport.ts';

type Operations = operations;
type OperationId = keyof Operations & keyof typeof restOperations;

/** An object, without the members that generated types have for "none". */
type Given<Type> = [Type] extends [never]
  ? object
  : NonNullable<Type> extends Record<string, never>
    ? object
    : NonNullable<Type>;

type Simplify<Type> = { [Key in keyof Type]: Type[Key] };

type Body<Operation> = Operation extends { requestBody?: infer Request }
  ? NonNullable<Request> extends { content: { 'application/json': infer Json } }
    ? Json
    : never
  : never;

type Part<Id extends OperationId, Name extends 'path' | 'query'> = Given<
  Exclude<Operations[Id]['parameters'][Name], undefined>
>;

/** The parameters of the path and of the query, and the members of the body. */
export type RestInput<Id extends OperationId> = Simplify<
  Part<Id, 'path'> & Part<Id, 'query'> & Given<Body<Operations[Id]>>
>;

type Content<Responses> = {
  [Status in keyof Responses & (200 | 201)]: Responses[Status] extends { content: infer Types }
    ? Types
    : never;
}[keyof Responses & (200 | 201)];

/** What an operation returns: `data` of the envelope, or a file. */
export type RestResult<Id extends OperationId> =
  Content<Operations[Id]['responses']> extends infer Types
    ? Types extends { 'application/json': { data: infer Data } }
      ? Data
      : Blob
    : never;

/** The items of a list with pages. */
export type RestItem<Id extends OperationId> =
  RestResult<Id> extends { pagination: { next_cursor: string | null } } & infer Page
    ? Extract<Page[keyof Page], readonly unknown[]>[number]
    : never;

type Arguments<Input, Options> =
  Record<never, never> extends Input
    ? [input?: Input, options?: Options]
    : [input: Input, options?: Options];

type OptionsOf<Id extends OperationId> = (typeof restOperations)[Id] extends `POST ${string}`
  ? WriteOptions
  : CallOptions;

type Call<Id extends OperationId> = (
  ...given: Arguments<RestInput<Id>, OptionsOf<Id>>
) => Promise<RestResult<Id>>;

interface ListCall<Id extends OperationId> extends Call<Id> {
  /** Iterates over all items, and fetches a page when the previous one is used up. */
  each(...given: Arguments<RestInput<Id>, CallOptions>): AsyncGenerator<RestItem<Id>, void>;
}

/** A function for each operation of REST, by its name in the OpenAPI document. */
export type Rest = {
  readonly [Id in OperationId]: [RestItem<Id>] extends [never] ? Call<Id> : ListCall<Id>;
};

type Input = Record<string, unknown>;

export function createRest(transport: Transport): Rest {
  const functions = Object.entries(restOperations).map(([id, operation]) => {
    const call = (input: Input = {}, options: WriteOptions = {}) =>
      sendOperation(transport, operation, input, options);
    const each = (input: Input = {}, options: CallOptions = {}) =>
      eachItem((cursor) => call({ ...input, ...cursor }, options));
    return [id, Object.assign(call, { each })];
  });
  return Object.fromEntries(functions) as Rest;
}

async function* eachItem(fetchPage: (cursor: { cursor?: string }) => Promise<unknown>) {
  let cursor: string | null | undefined;
  do {
    const { pagination, ...page } = (await fetchPage(cursor ? { cursor } : {})) as {
      pagination: { next_cursor: string | null };
      [items: string]: unknown;
    };
    yield* Object.values(page).find(Array.isArray) ?? [];
    cursor = pagination.next_cursor;
  } while (cursor !== null);
}

async function sendOperation(
  transport: Transport,
  operation: string,
  input: Input,
  { signal, idempotencyKey }: WriteOptions,
): Promise<unknown> {
  const [method, template = '', kind] = operation.split(' ');
  const { path, rest } = fillPath(template, input);
  const isWrite = method === 'POST';
  const response = await transport.send({
    method: isWrite ? 'POST' : 'GET',
    path,
    headers: {
      prefer: 'errors=detailed',
      ...(isWrite && { 'idempotency-key': idempotencyKey ?? createIdempotencyKey() }),
    },
    ...(isWrite ? { body: rest } : { query: rest as Record<string, QueryValue> }),
    ...(signal && { signal }),
    repeatable: true,
  });
  if (response.ok && kind === 'file') return response.blob();
  const text = await response.text();
  const body = parseJson(text) as Envelope | null;
  if (!response.ok || body?.success !== true) throw toRestError(response, body, text);
  return body.data;
}

/** Puts the input into the parameters of the path. The rest of it is the query or the body. */
function fillPath(template: string, input: Input): { path: string; rest: Input } {
  const rest = { ...input };
  const segments = template.split('/').map((segment) => {
    const end = segment.indexOf('}');
    if (!segment.startsWith('{') || end === -1) return segment;
    const name = segment.slice(1, end);
    const value = rest[name];
    if (value === undefined || value === null || value === '')
      throw new TypeError(`${name} is missing, which is part of the path ${template}.`);
    delete rest[name];
    return encodeURIComponent(String(value)) + segment.slice(end + 1);
  });
  return { path: segments.join('/'), rest };
}
