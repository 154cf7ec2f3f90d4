import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type InputShapeFromFields,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { countGuess, type Guess } from '../auth/guesses.ts';
import { limitKeyedWrites } from '../auth/rate-limits.ts';
import { toCallerKey } from '../auth/viewer.ts';
import { withIdempotency, withSharedIdempotency } from '../db/idempotency.ts';
import type { GraphqlContext } from './context.ts';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      idempotency: IdempotencyPlugin<Types>;
    }

    export interface MutationFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /**
       * Executes the mutation every time, even with an Idempotency-Key. For mutations that set a cookie, since a stored
       * response cannot set one, that count requests themselves, that hash a password, which takes too long for a
       * transaction, or that have a minimum response time.
       */
      ignoresIdempotencyKey?: true;
      /**
       * The service claims the idempotency key and stores the response itself: see `withSharedIdempotency`. The resolver returns
       * what the service returns.
       */
      sharesTransaction?: true;
      /**
       * Counts the request. Called before the resolver and outside its transaction, so that rejected requests count too
       * and the embedded database, which has one connection, does not deadlock. @throws RATE_LIMITED
       */
      rateLimit?: (args: InputShapeFromFields<Args>, context: Types['Context']) => Promise<void>;
      /** Limits misses of requests that present a code or a secret. Returns null if the request presents none. */
      guess?: (args: InputShapeFromFields<Args>, context: Types['Context']) => Guess | null;
    }

    export interface QueryFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /** As for mutations. */
      rateLimit?: (args: InputShapeFromFields<Args>, context: Types['Context']) => Promise<void>;
      /** As for mutations. */
      guess?: (args: InputShapeFromFields<Args>, context: Types['Context']) => Guess | null;
    }
  }
}

type Resolver = GraphQLFieldResolver<unknown, GraphqlContext, object>;

/**
 * With an Idempotency-Key, executes each mutation once per key and response path. It is the last plugin, so authorization
 * is checked every time.
 */
class IdempotencyPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    original: GraphQLFieldResolver<unknown, Types['Context'], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const resolve = original as Resolver;
    if (field.kind === 'Query') return withRateLimits(resolve, field) as typeof original;
    if (field.kind !== 'Mutation') return original;
    const { ignoresIdempotencyKey, sharesTransaction } = field.pothosOptions as {
      ignoresIdempotencyKey?: true;
      sharesTransaction?: true;
    };
    const runOnce = sharesTransaction ? withSharedIdempotency : withIdempotency;
    const wrapped = withRateLimits(
      ignoresIdempotencyKey ? resolve : withIdempotencyKey(field.name, resolve, runOnce),
      field,
    );
    return withNewLoaders(wrapped) as typeof original;
  }
}

/** The result of a mutation is read anew: earlier mutations of the document can have read the same rows. */
const withNewLoaders =
  (resolve: Resolver): Resolver =>
  async (root, args, context, info) => {
    const payload = await resolve(root, args, context, info);
    Object.assign(context, context.createLoaders(context.ctx));
    return payload;
  };

function withRateLimits<Types extends SchemaTypes>(
  resolve: Resolver,
  { pothosOptions }: PothosOutputFieldConfig<Types>,
): Resolver {
  const { rateLimit, guess } = pothosOptions as {
    rateLimit?: (args: object, context: GraphqlContext) => Promise<void>;
    guess?: (args: object, context: GraphqlContext) => Guess | null;
  };
  if (rateLimit === undefined && guess === undefined) return resolve;
  return async (root, args, context, info) => {
    await rateLimit?.(args, context);
    return countGuess(guess?.(args, context) ?? null, async () =>
      resolve(root, args, context, info),
    );
  };
}

const withIdempotencyKey =
  (field: string, resolve: Resolver, runOnce: typeof withIdempotency): Resolver =>
  async (root, args, context, info) => {
    const { ctx, idempotencyKey: key, address } = context;
    if (key === undefined) return resolve(root, args, context, info);
    await limitKeyedWrites(context.deps, ctx.viewer, key, address);
    const keyedRequest = {
      caller: toCallerKey(ctx.viewer, address),
      key,
      part: `graphql ${info.path.key}`,
      request: [field, args],
    };
    const { body } = await runOnce(
      ctx,
      keyedRequest,
      async (ctx) => resolve(root, args, toKeyedContext(context, ctx), info),
      (result) => ({ status: 200, body: serializeResult(result) }),
    );
    return parseResult(body);
  };

const toKeyedContext = (context: GraphqlContext, ctx: GraphqlContext['ctx']): GraphqlContext => ({
  ...context,
  ctx,
  ...context.createLoaders(ctx),
  setSessionCookie: () => {
    throw new Error('a mutation that sets a cookie must declare ignoresIdempotencyKey');
  },
});

const TIME_KEY = '$time';

/** Services return plain objects. Dates are the only values in them that JSON cannot represent. */
const serializeResult = (value: unknown) =>
  JSON.stringify({ value }, function (this: Record<string, unknown>, key, converted) {
    const original = this[key];
    return original instanceof Date ? { [TIME_KEY]: original.getTime() } : converted;
  });

const parseResult = (body: string): unknown =>
  JSON.parse(body, (_, node) =>
    typeof node?.[TIME_KEY] === 'number' ? new Date(node[TIME_KEY]) : node,
  ).value;

SchemaBuilder.registerPlugin('idempotency', IdempotencyPlugin);
