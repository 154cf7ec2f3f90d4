import { z } from 'zod';
import { resourceFilter } from '../../src/features/spaces/inputs.ts';
import { toRestQuery } from '../../src/rest/input-schema.ts';
import { routes } from '../../src/rest/route-table.ts';
import { isIgnoredParameter, parseSearch } from '../../src/rest/search-parameters.ts';

const query = toRestQuery(resourceFilter.pick({ type: true, q: true }));

describe('a list in a URL', () => {
  it.each([
    '?type=room,desk',
    '?type=room&type=desk',
    '?type[]=room&type[]=desk',
    '?type%5B%5D=room&type%5B%5D=desk',
    '?type[0]=room&type[1]=desk',
    '?type=room&type[]=desk',
    '?type=room,desk&utm_source=x&fbclid=y&_=1',
  ])('can be written as %s', (search) => {
    const parsed = query.parse(parseSearch(search, query));
    expect(parsed).toEqual({ type: ['room', 'desk'] });
  });

  it('is the only parameter with brackets, or given more than once', () => {
    expect(parseSearch('?q[]=x&other[]=y', query)).toEqual({ 'q[]': 'x', 'other[]': 'y' });
    expect(() => parseSearch('?q=x&q=y', query)).toThrow('q: is given more than once.');
  });
});

it('ignores parameters of trackers on every route, since no route has such a parameter', () => {
  expect(routes.length).toBeGreaterThan(20);
  for (const { path, query } of routes) {
    const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
    const ignored = Object.keys(properties).filter(isIgnoredParameter);
    expect([path, ignored]).toEqual([path, []]);
    const search = '?utm_source=a&utm_medium=b&fbclid=c&gclid=d&msclkid=e&mc_cid=f&mc_eid=g&_ga=h';
    expect([path, parseSearch(search, query)]).toEqual([path, {}]);
  }
});
