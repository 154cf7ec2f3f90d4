import { z } from 'zod';
import { showRestFields } from '../../objects/row-fields.ts';
import type { RestObject } from '../../objects/row-object.ts';
import { moneySchema, zonedLocationSchema } from '../../objects/schemas.ts';
import { resourceRow } from './rows.ts';
import { type Resource, resourceList } from './service/resources.ts';

const fields = showRestFields(resourceRow, { except: ['createdAt'] });

export const resourceSchema = z
  .object({
    ...fields.shape,
    location: zonedLocationSchema.meta({ description: 'Where it is' }),
    price_per_hour: moneySchema.meta({ description: 'The public price' }),
  })
  .meta({ id: 'Resource', description: 'A room, a desk or equipment' });

export const toResourceJson = ({
  location: { id, name, timeZone },
  ...resource
}: Resource): object => ({
  ...fields.serialize(resource),
  location: { id, name, time_zone: timeZone },
  price_per_hour: resource.pricePerHour,
});

export const resourceObject: RestObject = {
  schema: resourceSchema,
  find: async (ctx, ids) => {
    const resources = await resourceList.findByIds(ctx, ids);
    return new Map(resources.map((resource) => [resource.id, toResourceJson(resource)]));
  },
};
