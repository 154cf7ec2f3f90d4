import { z } from 'zod';
import { line } from '../../../validation.ts';

/** In one spelling: rate limits count by it. */
export const locationId = z.uuid().toLowerCase();

export const query = line(200);
