import type { IncomingMessage } from 'node:http';
import { addressOf, networkOf } from '../src/address.ts';

describe('a caller', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
    ['a::b:c:d:e', 'a:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['fe80::1:2%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['unknown', 'unknown'],
    ['1:2:3', '1:2:3'],
  ])('at %s is known by %s', (address, known) => {
    expect(networkOf(address)).toBe(known);
  });

  it('is known by the network behind the proxies too', () => {
    const req = (remoteAddress: string, forwarded?: string) =>
      ({
        socket: { remoteAddress },
        headers: { 'x-forwarded-for': forwarded },
      }) as unknown as IncomingMessage;
    expect(addressOf(req('::ffff:10.0.0.1'), 0)).toBe('10.0.0.1');
    expect(addressOf(req('10.0.0.1', '2001:db8::1, 2001:db8:0:9::1'), 1)).toBe('2001:db8:0:9::/64');
    expect(addressOf(req('2001:db8:5::1'), 1)).toBe('2001:db8:5:0::/64');
    expect(addressOf(req('10.0.0.1', '[2001:db8:1:2::9]:4711'), 1)).toBe('2001:db8:1:2::/64');
    expect(addressOf(req('10.0.0.1', '203.0.113.7:4711'), 1)).toBe('203.0.113.7');
  });

  it.each(['unknown', '_hidden', 'kiosk 1', '1:2:3', `1${'0'.repeat(5_000)}`, ''])(
    'who is said to be at "%s" is at the other end of the connection',
    (forwarded) => {
      const req = {
        socket: { remoteAddress: '10.0.0.1' },
        headers: { 'x-forwarded-for': forwarded },
      };
      expect(addressOf(req as unknown as IncomingMessage, 1)).toBe('10.0.0.1');
    },
  );
});
