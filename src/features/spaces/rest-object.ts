import { z } from 'zod';
import { showRestFields } from '../../rest/row-fields.ts';
import { moneySchema, zonedLocationSchema } from '../../rest/serializers.ts';
import { resourceRow } from './rows.ts';

export const fields = showRestFields(resourceRow, { except: ['createdAt'] });

export const resourceSchema = z
  .object({
    ...fields.shape,
    location: zonedLocationSchema.meta({ description: 'Where it is' }),
    price_per_hour: moneySchema.meta({ description: 'The public price' }),
  })
  .meta({ id: 'Resource', description: 'A room, a desk or equipment' });
