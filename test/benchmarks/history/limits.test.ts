import { EXPLANATIONS } from './explanations.ts';
import { judge } from './limits.ts';

const explanations = [{ names: /^orders\(q: /, maxMs: 100, reason: 'Takes up to 50 ms.' }];
const judgeOrders = (long: { ms: number; error?: string }, short = { ms: 1 }) =>
  judge({ name: 'orders(q: mar)', long, short }, explanations);

describe('an operation on a long history', () => {
  it('is fast within its limits', () => {
    expect(judgeOrders({ ms: 9 })).toBe('fast');
    expect(judgeOrders({ ms: 29 }, { ms: 20 })).toBe('fast');
  });

  it('is explained up to the limit of its explanation, and slow above', () => {
    expect(judgeOrders({ ms: 20 })).toBe('explained');
    expect(judgeOrders({ ms: 100 })).toBe('explained');
    expect(judgeOrders({ ms: 101 })).toBe('slow');
  });

  it('is slow without an explanation', () => {
    const compared = { name: 'members(q: mar)', long: { ms: 31 }, short: undefined };
    expect(judge(compared, explanations)).toBe('slow');
  });

  it('fails with an error, which nothing explains, in either space', () => {
    const rejected = { ms: Number.NaN, error: 'canceling statement' };
    expect(judgeOrders(rejected)).toBe('failed');
    expect(judgeOrders({ ms: 20 }, rejected)).toBe('failed');
  });
});

it('every explanation states in its text how long it may take, and allows about twice that', () => {
  for (const { reason, maxMs } of EXPLANATIONS) {
    const stated = [...reason.matchAll(/up to (\d[\d,]*) ms/g)].map(([, ms = '']) =>
      Number(ms.replaceAll(',', '')),
    );
    expect(stated).not.toEqual([]);
    expect(maxMs / Math.max(...stated)).toBe(2);
  }
});
