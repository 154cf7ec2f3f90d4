import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      rejections: RejectionsPlugin<Types>;
    }
  }
}

type Resolver = GraphQLFieldResolver<unknown, object>;

/**
 * Makes a resolver that throws return a rejected promise. If an item of a list throws, the executor returns its error at once and
 * leaves the promises of earlier items alone. Those that reject later are unhandled rejections of the process.
 */
class RejectionsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolve: Resolver, field: PothosOutputFieldConfig<Types>): Resolver {
    if (isExposed(field)) return resolve;
    return (...args) => {
      try {
        return resolve(...args);
      } catch (error) {
        return Promise.reject(error);
      }
    };
  }
}

/** Whether the field only returns a property of its object, for everybody who reads the object. */
const isExposed = <Types extends SchemaTypes>({
  extensions,
  pothosOptions,
}: PothosOutputFieldConfig<Types>) =>
  extensions?.pothosExposedField !== undefined &&
  (pothosOptions as { authScopes?: unknown }).authScopes === undefined;

SchemaBuilder.registerPlugin('rejections', RejectionsPlugin);
