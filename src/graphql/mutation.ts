import type { ShapeFromTypeParam, TypeParam } from '@pothos/core';
import type { z } from 'zod';
import type { Guess } from '../auth/guesses.ts';
import type { Access } from '../auth/viewer.ts';
import { builder, createInputType } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import type { CostExtension } from './query-cost.ts';

type Types = typeof builder.$inferSchemaTypes;

type PayloadFields = Record<
  string,
  { type: TypeParam<Types>; description: string; nullable?: boolean }
>;

type Payload<Fields extends PayloadFields> = {
  [Name in keyof Fields]: ShapeFromTypeParam<
    Types,
    Fields[Name]['type'],
    Fields[Name] extends { nullable: true } ? true : false
  >;
};

interface MutationOptions<Schema extends z.ZodType<object>, Fields extends PayloadFields> {
  description: string;
  access: Access;
  /** The schema of the input. A mutation that takes nothing has none. */
  input?: Schema;
  /** The fields of the payload. A changed object has the name of its type: `booking` is a `Booking`. */
  payload: Fields;
  /** From `withCost`. */
  extensions?: { cost: CostExtension };
  /** These four are as in `idempotency-plugin.ts`. */
  ignoresIdempotencyKey?: true;
  sharesTransaction?: true;
  rateLimit?: (input: z.output<Schema>, context: GraphqlContext) => Promise<void>;
  guess?: (input: z.output<Schema>, context: GraphqlContext) => Guess<Payload<Fields>> | null;
  resolve: (input: z.output<Schema>, context: GraphqlContext) => Promise<Payload<Fields>>;
}

const INPUT = { required: true, description: 'Everything that the mutation needs' } as const;

/**
 * Adds a mutation that takes one input and returns one payload, both of types with its name:
 * `cancelBooking(input: CancelBookingInput!): CancelBookingPayload!`.
 */
export function addMutation<
  const Fields extends PayloadFields,
  Schema extends z.ZodType<object> = z.ZodType<object>,
>(
  name: string,
  {
    input: schema,
    payload,
    access,
    rateLimit,
    guess,
    resolve,
    ...options
  }: MutationOptions<Schema, Fields>,
): void {
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);
  const inputType = schema && createInputType(`${typeName}Input`, schema, `The input of ${name}`);
  const type = builder.objectRef<object>(`${typeName}Payload`).implement({
    description: `The result of ${name}`,
    fields: (t) =>
      Object.fromEntries(
        Object.entries(payload).map(([field, config]) => [
          field,
          t.expose(field as never, config as never),
        ]),
      ),
  });
  const getInput = ({ input = {} }: { input?: object }) => input as z.output<Schema>;
  builder.mutationField(name, (t) =>
    t.field({
      ...options,
      type,
      authScopes: { access },
      args: inputType ? { input: t.arg({ ...INPUT, type: inputType }) } : {},
      ...(rateLimit && { rateLimit: (args, context) => rateLimit(getInput(args), context) }),
      ...(guess && { guess: (args, context) => guess(getInput(args), context) as Guess | null }),
      // Pothos cannot know that a payload is never a list.
      resolve: (_, args, context) => resolve(getInput(args), context) as never,
    }),
  );
}
