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
import { countGuess, type Guess } from '../auth/rate-limits.ts';
import { limitKeyedWrites, toCallerKey, withIdempotency } from '../core/idempotency.ts';
import type { GraphqlContext } from './context.ts';
import { createLoaders } from './dataloaders.ts';

/** They set a cookie, which no kept answer can, count requests themselves, or take their time. */
const MUTATIONS_WITHOUT_KEY = new Set([
  'acceptStaffLink',
  'changePassword',
  'findOrders',
  'redeemSignInLink',
  'requestSignInLink',
  'signIn',
  'signOut',
]);

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
       * Asked before the work and outside of its transaction, for rate limits: they count what comes to nothing too, and
       * the embedded database has one connection.
       */
      rateLimit?: (args: InputShapeFromFields<Args>, context: Types['Context']) => Promise<void>;
      /** For a request that presents a code or a secret: misses are limited. Null where this one presents none. */
      guess?: (args: InputShapeFromFields<Args>, context: Types['Context']) => Guess | null;
    }

    export interface QueryFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /** As of mutations. */
      guess?: (args: InputShapeFromFields<Args>, context: Types['Context']) => Guess | null;
    }
  }
}

type Resolver = GraphQLFieldResolver<unknown, GraphqlContext, object>;

/**
 * Where the request has an Idempotency-Key, each of its mutations is done once for that key and its place in the
 * answer. Stands last among the plugins: what may be asked, and how much, is decided anew every time.
 */
export class IdempotencyPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    given: GraphQLFieldResolver<unknown, Types['Context'], object>,
    field: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const resolve = given as Resolver;
    if (field.kind === 'Query') return withRateLimits(resolve, field) as typeof given;
    if (field.kind !== 'Mutation') return given;
    const wrapped = withRateLimits(
      MUTATIONS_WITHOUT_KEY.has(field.name) ? resolve : withIdempotencyKey(field.name, resolve),
      field,
    );
    return wrapped as typeof given;
  }
}

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
  (field: string, resolve: Resolver): Resolver =>
  async (root, args, context, info) => {
    const { ctx, idempotencyKey: key, address } = context;
    if (key === undefined) return resolve(root, args, context, info);
    await limitKeyedWrites(context.deps, ctx.viewer, key, address);
    const named = {
      caller: toCallerKey(ctx.viewer, address),
      key,
      part: `graphql ${info.path.key}`,
      request: [field, args],
    };
    const { body } = await withIdempotency(ctx, named, async (ctx) => ({
      status: 200,
      body: serializeResult(await resolve(root, args, toKeyedContext(context, ctx), info)),
    }));
    return parseResult(body);
  };

const toKeyedContext = (context: GraphqlContext, ctx: GraphqlContext['ctx']): GraphqlContext => ({
  ...context,
  ctx,
  loaders: createLoaders(ctx),
  setSessionCookie: () => {
    throw new Error('a mutation that sets a cookie must not be answered from what is kept');
  },
});

const TIME_KEY = '$time';

/** Values as JSON. What services answer with are plain objects, of which only times are not said by JSON. */
const serializeResult = (value: unknown) =>
  JSON.stringify({ value }, function (this: Record<string, unknown>, key, plain) {
    const it = this[key];
    return it instanceof Date ? { [TIME_KEY]: it.getTime() } : plain;
  });

const parseResult = (body: string): unknown =>
  JSON.parse(body, (_, it) => (typeof it?.[TIME_KEY] === 'number' ? new Date(it[TIME_KEY]) : it))
    .value;

SchemaBuilder.registerPlugin('idempotency', IdempotencyPlugin);
