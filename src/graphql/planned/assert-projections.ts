import { type GraphQLObjectType, type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { anonymous, system } from '../../auth/viewer.ts';
import { createAliases, isLeaf, isPart, type Projection } from '../../db/json-projection.ts';
import { findInProjection, getProjectionPath, type TypeExtensions } from './render-sql.ts';

/**
 * Prevents the process from starting while a field reads a key that the projection of its type lacks. What a viewer cannot see
 * is `null` in the projection, so a missing key was forgotten.
 */
export function assertProjectionsAreComplete(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    const { projection } = type.extensions as TypeExtensions;
    if (projection === undefined) continue;
    for (const viewer of [system, anonymous]) assertComplete(type, projection('row', viewer));
  }
}

function assertComplete(type: GraphQLObjectType, tree: Projection): void {
  for (const field of Object.values(type.getFields())) {
    const path = getProjectionPath(field);
    if (path === undefined) continue;
    const value = findInProjection(tree, path);
    if (value === undefined)
      throw new Error(`${type.name}.${field.name} reads ${path}, which its projection lacks`);
    const below = getNamedType(field.type);
    if (!isObjectType(below) || value === null || typeof value === 'string' || isLeaf(value))
      continue;
    const toObject = (inner: Projection) => {
      assertComplete(below, inner);
      return '';
    };
    if (isPart(value))
      value.render({ isText: true, toObject, toItem: toObject, nextAlias: createAliases() });
    else assertComplete(below, value);
  }
}
