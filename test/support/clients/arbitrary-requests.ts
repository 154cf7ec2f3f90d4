import fc from 'fast-check';
import type { RawRequest } from './raw-http.ts';

/** Values that arbitrary requests can contain. */
export interface RequestContext {
  paths: string[];
  token: string;
  deviceToken: string;
}

export const bearer = (token: string): [string, string] => ['authorization', `Bearer ${token}`];

export const arbitraryRequests = (known: RequestContext): fc.Arbitrary<RawRequest> =>
  fc.record({
    method: methods,
    target: targets(known.paths),
    headers: headers(known),
    body: bodies,
  });

const methods = fc.oneof(
  { weight: 6, arbitrary: fc.constant('GET') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND'],
      ...['QUERY', 'BREW', 'get', 'PRI', ''],
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);

const malformed = fc.constantFrom(
  ...['%', '%zz', '%00', '%2f', '%2e%2e%2f', '%c0%af', '%ed%a0%80', '%ff', '%F0%9F%92%A9'],
  ...['//', '/..', '/../..', '/.', '\\', ';', '?', '#', '@', ':', ' ', '\0', '\t', '\r', '\n'],
  ...['ü', '💩', '\ud800', '\u202e', '{device_token}', 'x'.repeat(3_000), '/x'.repeat(9_000)],
);

function targets(paths: string[]): fc.Arbitrary<string> {
  const changed = fc
    .tuple(fc.constantFrom(...paths), fc.array(fc.tuple(fc.nat(), malformed), { maxLength: 3 }))
    .map(([path, changes]) =>
      changes.reduce((changed, [at, piece]) => {
        const place = at % (changed.length + 1);
        return changed.slice(0, place) + piece + changed.slice(place);
      }, path),
    );
  const prefix = fc.constantFrom('', '', '', '', 'http://127.0.0.1', 'http://[', 'ftp://x:y@z');
  return fc
    .tuple(
      prefix,
      fc.oneof({ weight: 5, arbitrary: changed }, fc.webPath(), fc.string()),
      arbitraryQueries(),
    )
    .map(([prefix, path, query]) => prefix + path + (query === '' ? '' : `?${query}`));
}

export function arbitraryQueries(): fc.Arbitrary<string> {
  const name = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom(
        ...['from', 'to', 'resource_id', 'location_id', 'member_id', 'status', 'tag', 'q'],
        ...['limit', 'cursor'],
      ),
    },
    fc.constantFrom('__proto__', 'constructor', 'toString', 'limit[]', ''),
    fc.string({ unit: 'binary', maxLength: 10 }).map(encode),
  );
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }).map(encode),
    fc.webQueryParameters(),
    malformed.map(encode),
    malformed,
    fc.uuid(),
    fc.constantFrom('1', '50', '100', '0', '101', '-1', '1e2', 'NaN', 'confirmed', "'; --", '%25'),
    instants,
    arbitraryCursors(),
  );
  const pair = fc.tuple(name, value).map(([name, value]) => `${name}=${value}`);
  return fc.oneof(
    { weight: 4, arbitrary: fc.array(pair, { maxLength: 3 }).map((pairs) => pairs.join('&')) },
    fc.string({ maxLength: 20 }),
  );
}

/** Encodes text for a URL. Lone surrogates become replacement characters. */
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString());

const instants = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => encode(date.toISOString())),
  fc.constantFrom(
    ...['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z'],
    ...['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59-23:59', '2026-01-01T24:00:00.000Z'],
    ...['2026-06-30T23:59:60.000Z', '0001-01-01T00:00:00%2b14:00', '2026-01-01'],
  ),
);

export function arbitraryCursors(): fc.Arbitrary<string> {
  const key = fc.oneof(instants.map(decodeURIComponent), fc.string({ unit: 'binary' }));
  const id = fc.oneof(
    { weight: 3, arbitrary: fc.uuid() },
    fc.constant('00000000-0000-0000-0000-000000000000'),
    fc.string(),
  );
  return fc
    .oneof({ weight: 4, arbitrary: fc.tuple(key, id) }, fc.array(fc.jsonValue()), fc.jsonValue())
    .map((at) => Buffer.from(JSON.stringify(at)).toString('base64url'));
}

function headers({ token, deviceToken }: RequestContext): fc.Arbitrary<RawRequest['headers']> {
  const header: fc.Arbitrary<[string, string]> = fc.oneof(
    { weight: 3, arbitrary: fc.constant(bearer(token)) },
    fc.constantFrom<[string, string]>(
      ['authorization', `bearer   ${token} `],
      ['authorization', `Bearer ${token}x`],
      ['authorization', `Bearer ${deviceToken}`],
      ['authorization', 'Basic YTpi'],
      ['accept', 'text/html'],
      ['accept', '\u00ff;q=x,,'],
      ['accept-encoding', 'br;q=0, *;q=-1'],
      ['content-type', 'application/json'],
      ['content-type', 'multipart/form-data'],
      ['if-none-match', '*'],
      ['if-none-match', ',,W/"'],
      ['if-modified-since', 'yesterday'],
      ['range', 'bytes=9-1'],
      ['expect', '100-continue'],
      ['expect', 'a miracle'],
      ['connection', 'upgrade'],
      ['upgrade', 'websocket'],
      ['transfer-encoding', 'chunked'],
      ['content-length', '999999'],
      ['content-length', '-1'],
      ['host', '[::'],
      ['x-forwarded-for', ',,;'],
      ['origin', 'null'],
      ['cookie', 'foyer_session=%zz; ;=;__proto__=1'],
      ['x-long', 'y'.repeat(20_000)],
    ),
    fc.tuple(
      fc.oneof(fc.constantFrom('authorization', 'cookie', 'if-none-match', 'x'), fc.string()),
      fc.string(),
    ),
  );
  return fc.array(header, { maxLength: 4 });
}

const bodies = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('{', '[1,', '\0', '0\r\n\r\n', 'zz\r\n', 'x'.repeat(200_000)),
);

/** Arbitrary bytes, but not only empty lines, which are not a request. */
export const arbitraryBytes = () =>
  fc
    .oneof(
      fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .tuple(fc.string(), fc.string(), fc.string())
        .map(([a, b, c]) => Buffer.from(`${a} ${b} ${c}\r\n${a}:${c}\r\n\r\n`)),
      fc
        .constantFrom(
          ...[
            'GET',
            'GET /bookings',
            'GET /bookings HTTP/9.9\r\n\r\n',
            'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
          ],
          ...['GET /bookings HTTP/1.1\r\nA\r\n\r\n', `GET / HTTP/1.1\r\nx: ${'y'.repeat(70_000)}`],
          ...[
            'POST / HTTP/1.1\r\nTransfer-Encoding: x\r\n\r\n',
            '\x16\x03\x01\x02\x00\x01\x00\x01',
          ],
          'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
          'GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
        )
        .map((text) => Buffer.from(text, 'latin1')),
    )
    .filter((bytes) => /[^\r\n]/.test(bytes.toString('latin1')));
