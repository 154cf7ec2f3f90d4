import type { ShapeFromTypeParam, TypeParam } from '@pothos/core';
import { z } from 'zod';
import type { Guess } from '../auth/guesses.ts';
import type { Access } from '../auth/viewer.ts';
import { traceCommand } from '../core/tracing.ts';
import { ONLY_ROW } from '../journal/subjects.ts';
import { type CursorList, readCursors } from '../lists/read-list.ts';
import { builder, createInputType, getEdgeType } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { getOrderEnum } from './list-fields.ts';
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
  /**
   * The fields of the payload with new objects, and the lists in which they appear. For each, the payload also has the edge:
   * `booking: bookingList` adds `bookingEdge`.
   */
  creates?: { [Name in keyof Fields]?: CursorList };
  /**
   * Adds `ifUpdatedAt` to the input of an update, for editors that must not overwrite what others changed after they read the
   * object. The input has the `id` or the `key` of the row, or the `locationId` for a part of a location, or
   * none of them for the only row of a table.
   */
  takesVersion?: true;
  /** From `withCost`. */
  extensions?: { cost: CostExtension };
  /** These four are as in `idempotency-plugin.ts`. */
  ignoresIdempotencyKey?: true;
  sharesTransaction?: true;
  rateLimit?: (input: z.output<Schema>, context: GraphqlContext) => Promise<void>;
  guess?: (input: z.output<Schema>, context: GraphqlContext) => Guess<Payload<Fields>> | null;
  resolve: (input: z.output<Schema>, context: GraphqlContext) => Promise<Payload<Fields>>;
}

const ifUpdatedAt = z.date().optional().meta({
  description:
    'The updatedAt of the object that you have read. If someone else has changed it since, the update is rejected with the reason CHANGED_MEANWHILE.',
});

/** Adds `ifUpdatedAt` to the schema of an input, which stays the same otherwise. */
const addVersion = <Schema extends z.ZodType<object>>(schema: Schema): Schema => {
  const { description } = z.globalRegistry.get(schema) ?? {};
  const extended = (schema as unknown as z.ZodObject).safeExtend({ ifUpdatedAt });
  return (description ? extended.meta({ description }) : extended) as unknown as Schema;
};

interface VersionedInput {
  id?: string;
  key?: string;
  locationId?: string;
  ifUpdatedAt?: Date;
}

/** Returns the input without `ifUpdatedAt`, and the context in which services compare it. */
function takeVersion<Input extends object>(
  input: Input,
  context: GraphqlContext,
): [Input, GraphqlContext] {
  const { ifUpdatedAt: updatedAt, ...others } = input as VersionedInput;
  const key = others.id ?? others.key ?? others.locationId ?? ONLY_ROW;
  if (!updatedAt) return [input, context];
  // PostgreSQL returns ids in lower case.
  const expectedVersion = { key: key.toLowerCase(), updatedAt, isConfirmed: false };
  return [others as Input, { ...context, ctx: { ...context.ctx, expectedVersion } }];
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
    input,
    takesVersion,
    payload,
    creates = {},
    access,
    rateLimit,
    guess,
    resolve,
    ...options
  }: MutationOptions<Schema, Fields>,
): void {
  const schema = input && takesVersion ? addVersion(input) : input;
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);
  const inputType = schema && createInputType(`${typeName}Input`, schema, `The input of ${name}`);
  const type = builder.objectRef<object>(`${typeName}Payload`).implement({
    description: `The result of ${name}`,
    fields: (t) =>
      Object.fromEntries(
        Object.entries(payload).flatMap(([field, config]) => {
          const list = creates[field as keyof Fields];
          const exposed = [field, t.expose(field as never, config as never)] as const;
          return list ? [exposed, createEdgeField(t, field, config.type, list)] : [exposed];
        }),
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
      resolve: (_, args, context) =>
        traceCommand(context.ctx.tracer, name, () =>
          resolve(...takeVersion(getInput(args), context)),
        ) as never,
    }),
  );
}

type FieldBuilder = PothosSchemaTypes.ObjectFieldBuilder<Types, object>;

/** Returns the field with the edges of new objects, such as `bookingEdge`, or `resourceEdges` for several. */
function createEdgeField(t: FieldBuilder, field: string, type: unknown, list: CursorList) {
  const isPlural = Array.isArray(type);
  const nodeType = isPlural ? type[0] : type;
  const { name } = builder.configStore.getTypeConfig(nodeType);
  const edgeName = `${name.charAt(0).toLowerCase()}${name.slice(1)}Edge`;
  const edgeType = getEdgeType(nodeType);
  const args = {
    orderBy: t.arg({
      type: getOrderEnum(name, list),
      description: `The order of the list that gets the edge. Default: ${list.defaultOrder}.`,
    }),
  };
  type Args = { orderBy?: string | null };
  const readEdges = async (nodes: { id: string }[], { orderBy }: Args, { ctx }: GraphqlContext) => {
    const ids = nodes.map(({ id }) => id);
    const cursors = await readCursors(ctx, list, ids, orderBy);
    return nodes.flatMap((node) => {
      const cursor = cursors.get(node.id);
      return cursor === undefined ? [] : [{ node, cursor }];
    });
  };
  if (isPlural) {
    const plural = t.field({
      type: [edgeType],
      args,
      description: `The edges of ${field}, to add to a list that the client has read`,
      resolve: (payload, args, context) =>
        readEdges((payload as Record<string, { id: string }[]>)[field] ?? [], args, context),
    });
    return [`${edgeName}s`, plural] as const;
  }
  const singular = t.field({
    type: edgeType,
    nullable: true,
    args,
    description: `The edge of ${field}, to add to a list that the client has read. null: ${field} has been deleted since.`,
    resolve: async (payload, args, context) => {
      const node = (payload as Record<string, { id: string }>)[field];
      return (node && (await readEdges([node], args, context))[0]) ?? null;
    },
  });
  return [edgeName, singular] as const;
}
