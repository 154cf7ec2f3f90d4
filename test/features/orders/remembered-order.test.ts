import {
  findRememberedSecret,
  rememberOrder,
} from '../../../src/web/public/orders/remembered-order.ts';

const storage = new Map<string, string>();
const getStorage = () => ({
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => void storage.set(key, value),
});
beforeEach(() => storage.clear());

it('a tab finds the secret of the order that it showed last', () => {
  rememberOrder({ id: 'a', secret: 'secret of a' }, getStorage);
  expect(findRememberedSecret('a', getStorage)).toBe('secret of a');
});

it('a tab does not take another order for the one that was paid', () => {
  expect(findRememberedSecret('b', getStorage)).toBeNull();
  rememberOrder({ id: 'a', secret: 'secret of a' }, getStorage);
  expect(findRememberedSecret('b', getStorage)).toBeNull();
  expect(findRememberedSecret('', getStorage)).toBeNull();
});

it('a tab ignores what an earlier version remembered', () => {
  storage.set('foyer-order', 'foyero_secret');
  expect(findRememberedSecret('a', getStorage)).toBeNull();
});

it('a browser that stores nothing finds no secret', () => {
  const getNone = () => {
    throw new Error('SecurityError');
  };
  rememberOrder({ id: 'a', secret: 'secret of a' }, getNone);
  expect(findRememberedSecret('a', getNone)).toBeNull();
});
