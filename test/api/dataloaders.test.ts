import type { Context } from '../../src/context.ts';
import { createLoaders, type Loaders } from '../../src/graphql/dataloaders.ts';

const ctx = {} as Context;

describe.each<keyof Loaders>(['occupancy', 'closures', 'availability', 'bookingCountByClosure'])(
  'the loader %s',
  (name) => {
    it('is the same for all fields of a request, so that they share its statements', () => {
      const loaders = createLoaders(ctx);
      expect(typeof loaders[name].load).toBe('function');
      expect(loaders[name]).toBe(loaders[name]);
    });

    it('is not shared with other requests', () => {
      expect(createLoaders(ctx)[name]).not.toBe(createLoaders(ctx)[name]);
    });
  },
);
