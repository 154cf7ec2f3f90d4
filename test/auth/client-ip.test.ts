import type { IncomingMessage } from 'node:http';
import { findClientAddress, toClientAddress, toClientNetwork } from '../../src/core/client-ip.ts';

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    connection: { remoteAddress },
    headers: { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('a client address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
    ['a::b:c:d:e', 'a::/64'],
    ['::1', '::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['fe80::1:2%eth0', 'fe80::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['64:ff9b::203.0.113.7', '64:ff9b::/64'],
    ['unknown', 'unknown'],
    ['1:2:3', '1:2:3'],
  ])('counts %s as %s', (address, counted) => {
    expect(toClientAddress(address)).toBe(counted);
  });

  it('is the one that the outermost trusted proxy reports', () => {
    expect(findClientAddress(request('::ffff:10.0.0.1'), 0)).toBe('10.0.0.1');
    expect(findClientAddress(request('10.0.0.1', '203.0.113.7'), 0)).toBe('10.0.0.1');
    expect(findClientAddress(request('10.0.0.1', '2001:db8::1, 2001:db8:0:9::1'), 1)).toBe(
      '2001:db8:0:9::/64',
    );
    expect(findClientAddress(request('10.0.0.1', '198.51.100.2, 203.0.113.7, 10.0.0.2'), 2)).toBe(
      '203.0.113.7',
    );
    expect(findClientAddress(request('2001:db8:5::1'), 1)).toBe('2001:db8:5::/64');
    expect(findClientAddress(request('10.0.0.1', '[2001:db8:1:2::9]:4711'), 1)).toBe(
      '2001:db8:1:2::/64',
    );
    expect(findClientAddress(request('10.0.0.1', '203.0.113.7:4711'), 1)).toBe('203.0.113.7');
  });

  it.each(['unknown', '_hidden', 'kiosk 1', '1:2:3', `1${'0'.repeat(5_000)}`, ''])(
    'is the connection when the proxy sends "%s"',
    (forwarded) => {
      expect(findClientAddress(request('10.0.0.1', forwarded), 1)).toBe('10.0.0.1');
    },
  );
});

describe('a client network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['::/64', '::/48'],
    ['unknown', 'unknown'],
  ])('widens %s to %s', (address, network) => {
    expect(toClientNetwork(address)).toBe(network);
  });
});
