import { findClosingTime } from '../../../src/core/time/opening-hours.ts';
import type {
  AdmissionCandidate,
  MemberCandidate,
} from '../../../src/features/check-ins/resolve-code.ts';
import {
  type AdmissionContext,
  evaluateAdmission,
  type VisitHistory,
} from '../../../src/features/check-ins/rules/evaluate-admission.ts';

const AT = Date.parse('2026-03-18T09:30:00Z');
const SCENE: AdmissionContext = {
  ...{ locationId: 'here', at: AT, today: '2026-03-18', isFull: false },
  ...{ memberAdmission: 'all', disputedAdmission: 'ask' },
};
const NEVER: VisitHistory = { isIn: false, isUsed: false };
const KNOWN = { id: 'x', label: 'Ada Lovelace', title: null };
const NOW_ON = { startsAt: '2026-03-18T09:00:00Z', endsAt: '2026-03-18T12:00:00Z' };

const ticket = (more: object = {}): AdmissionCandidate => ({
  ...{ ...KNOWN, ...NOW_ON, type: 'ticket', status: 'valid', eventStatus: 'published' },
  ...{ locationId: 'here', disputed: false, disputedAt: null, cancelledAt: null, ...more },
});
const pass = (more: object = {}): AdmissionCandidate => ({
  ...{ ...KNOWN, type: 'day_pass', status: 'valid', locationId: 'here', validOn: '2026-03-18' },
  ...{ disputed: false, disputedAt: null, cancelledAt: null, ...more },
});
const member = (more: object = {}): MemberCandidate => ({
  ...{ ...KNOWN, type: 'member', status: 'active', email: 'ada@example.org', memberships: [] },
  ...more,
});
const booking = (more: object = {}): AdmissionCandidate => ({
  ...{ ...KNOWN, ...NOW_ON, type: 'booking', status: 'confirmed', locationId: 'here' },
  ...{ memberId: null, ...more },
});
const visitor = (host: object = {}): AdmissionCandidate => ({
  ...{ type: 'visitor', label: 'Grace Hopper', title: 'Ada L.', host: member(host) },
});

describe('the admission rules', () => {
  const EVERYTHING: [string, AdmissionCandidate][] = [
    ['a ticket', ticket()],
    ['a day pass', pass()],
    ['a member', member()],
    ['a booking', booking()],
    ['a visitor', visitor()],
  ];
  it.each(EVERYTHING)('admit %s that is valid unless the location is full', (_, one) => {
    expect(evaluateAdmission(one, NEVER, SCENE)).toBe('admitted');
    expect(evaluateAdmission(one, NEVER, { ...SCENE, isFull: true })).toBe('capacity_full');
  });

  it.each(EVERYTHING.slice(0, 4))(
    'return already_in for %s that is checked in, even if the location is full',
    (_, one) => {
      expect(evaluateAdmission(one, { isIn: true, isUsed: true }, { ...SCENE, isFull: true })).toBe(
        'already_in',
      );
    },
  );

  it.each([
    ['cancelled before unpaid', ticket({ status: 'held', eventStatus: 'cancelled' }), 'cancelled'],
    ['unpaid before wrong_location', ticket({ status: 'held', locationId: 'there' }), 'unpaid'],
    [
      'wrong_location before expired',
      ticket({ locationId: 'there', endsAt: NOW_ON.startsAt }),
      'wrong_location',
    ],
    [
      'wrong_location before another day',
      pass({ locationId: 'there', validOn: '2026-03-17' }),
      'wrong_location',
    ],
    ['expired before capacity_full', pass({ validOn: '2026-03-17' }), 'expired'],
    [
      'not_yet_valid more than an hour early',
      ticket({ startsAt: '2026-03-18T10:30:00.001Z' }),
      'not_yet_valid',
    ],
    ['expired exactly at the end', booking({ endsAt: '2026-03-18T09:30:00Z' }), 'expired'],
    [
      'membership_inactive for a visitor of an inactive host',
      visitor({ status: 'paused' }),
      'membership_inactive',
    ],
  ] as const)('return %s', (_, one, expected) => {
    expect(evaluateAdmission(one, NEVER, { ...SCENE, isFull: true })).toBe(expected);
  });

  // Each kind of candidate in each state, at a location of each kind.
  const STATES = ['held', 'valid', 'expired', 'cancelled'] as const;
  const TIMES = [
    NOW_ON,
    { startsAt: '2026-03-18T10:30:00.001Z', endsAt: '2026-03-18T12:00:00Z' },
    { startsAt: '2026-03-18T08:00:00Z', endsAt: '2026-03-18T09:30:00Z' },
  ];
  const PLACES = ['here', 'there'];
  const DAYS = ['2026-03-17', '2026-03-18', '2026-03-19'];
  const HOSTS = (['active', 'paused', 'former'] as const).flatMap((status) =>
    [[], ...DAYS.map((day) => [{ startsOn: day, endsOn: day }])].map((memberships) => ({
      ...{ status, memberships },
    })),
  );
  const EVERY_STATE: AdmissionCandidate[] = [
    ...PLACES.flatMap((locationId) => [
      ...STATES.flatMap((status) => [
        ...TIMES.flatMap((time) =>
          ['published', 'cancelled'].map((eventStatus) =>
            ticket({ locationId, status, eventStatus, ...time }),
          ),
        ),
        ticket({ locationId, status, disputed: true }),
        ...DAYS.map((validOn) => pass({ locationId, status, validOn })),
      ]),
      ...(['pending', 'confirmed', 'cancelled', 'no_show'] as const).flatMap((status) =>
        TIMES.map((time) => booking({ locationId, status, ...time })),
      ),
    ]),
    ...HOSTS.flatMap((host) => [member(host), visitor(host)]),
  ];

  it('reject a second scan for the same reason as a first one', () => {
    let rejected = 0;
    for (const candidate of EVERY_STATE)
      for (const memberAdmission of ['all', 'with_membership'] as const)
        for (const history of [
          { isIn: true, isUsed: false },
          { isIn: true, isUsed: true },
          { isIn: false, isUsed: true },
        ]) {
          const scene = { ...SCENE, memberAdmission };
          const first = evaluateAdmission(candidate, NEVER, scene);
          for (const readmit of [false, true])
            for (const isFull of [false, true]) {
              const second = evaluateAdmission(
                candidate,
                history,
                { ...scene, isFull },
                { readmit },
              );
              if (first === 'admitted') continue;
              rejected++;
              expect({ candidate, history, second }).toEqual({ candidate, history, second: first });
            }
        }
    expect(rejected).toBeGreaterThan(1_000);
  });

  it('readmit a used ticket only on request, and never after its event', () => {
    const used = { isIn: false, isUsed: true };
    expect(evaluateAdmission(ticket(), used, SCENE)).toBe('checked_out');
    expect(evaluateAdmission(ticket(), used, SCENE, { readmit: true })).toBe('admitted');
    const over = ticket({ endsAt: '2026-03-18T09:30:00Z' });
    expect(evaluateAdmission(over, used, SCENE, { readmit: true })).toBe('expired');
  });

  it('admit those whose payment is disputed as the settings and then staff decide', () => {
    const scan = (disputedAdmission: 'ask' | 'admit' | 'reject', admitDisputed: boolean) =>
      [ticket({ disputed: true }), pass({ disputed: true })].map((one) =>
        evaluateAdmission(one, NEVER, { ...SCENE, disputedAdmission }, { admitDisputed }),
      );
    for (const admitDisputed of [false, true]) {
      expect(scan('admit', admitDisputed)).toEqual(['admitted', 'admitted']);
      expect(scan('reject', admitDisputed)).toEqual(['unpaid', 'unpaid']);
    }
    expect(scan('ask', false)).toEqual(['unpaid', 'unpaid']);
    expect(scan('ask', true)).toEqual(['admitted', 'admitted']);
    const inside = { isIn: true, isUsed: true };
    expect(evaluateAdmission(ticket({ disputed: true }), inside, SCENE)).toBe('unpaid');
    const cancelled = ticket({ disputed: true, status: 'cancelled' });
    expect(evaluateAdmission(cancelled, NEVER, SCENE, { admitDisputed: true })).toBe('cancelled');
  });

  it('include the first and the last day of a membership', () => {
    const strict = { ...SCENE, memberAdmission: 'with_membership' } as const;
    for (const memberships of [
      [{ startsOn: '2026-03-18', endsOn: '2026-03-18' }],
      [{ startsOn: '2026-03-18', endsOn: null }],
    ])
      expect(evaluateAdmission(member({ memberships }), NEVER, strict)).toBe('admitted');
    const memberships = [{ startsOn: '2026-03-19', endsOn: null }];
    expect(evaluateAdmission(member({ memberships }), NEVER, strict)).toBe('membership_inactive');
  });
});

describe('the automatic check-out', () => {
  const timeZone = 'Europe/Berlin';
  const open = (...spans: [weekday: number, opens: number, closes: number][]) =>
    spans.map(([weekday, opens, closes]) => ({
      ...{ weekday, opensMinute: opens * 60, closesMinute: closes * 60 },
    }));
  const everyDay = (opens: number, closes: number) =>
    open(...[1, 2, 3, 4, 5, 6, 7].map((day): [number, number, number] => [day, opens, closes]));
  const from = (wall: string, hours: ReturnType<typeof open>, closures: string[] = []) => {
    const at = Date.parse(`${wall}:00+01:00`);
    const shut = closures.map((day) => ({ startsOn: day, endsOn: day, reason: null }));
    const end = findClosingTime({ timeZone, hours, closures: shut }, at);
    expect(end).toBeGreaterThan(at);
    return new Date(end + 3_600_000).toISOString().slice(0, 16);
  };

  it.each([
    ['at closing time', '2026-03-18T10:30', everyDay(9, 18), [], '2026-03-18T18:00'],
    [
      'at the last closing time of a day with a break',
      '2026-03-18T10:30',
      open([3, 9, 12], [3, 14, 19]),
      [],
      '2026-03-18T19:00',
    ],
    ['at midnight if the location is always open', '2026-03-18T10:30', [], [], '2026-03-19T00:00'],
    [
      'at midnight if the hours cover every day',
      '2026-03-18T10:30',
      everyDay(0, 24),
      [],
      '2026-03-19T00:00',
    ],
    ['at midnight after closing time', '2026-03-18T18:00', everyDay(9, 18), [], '2026-03-19T00:00'],
    [
      'at midnight on a day without opening hours',
      '2026-03-18T10:30',
      open([4, 9, 18]),
      [],
      '2026-03-19T00:00',
    ],
    [
      'at midnight on a closure',
      '2026-03-18T10:30',
      everyDay(9, 18),
      ['2026-03-18'],
      '2026-03-19T00:00',
    ],
    [
      'at the end of the night',
      '2026-03-18T22:00',
      open([3, 18, 24], [4, 0, 2], [4, 18, 24]),
      [],
      '2026-03-19T02:00',
    ],
    [
      'at the end of a night that began the day before',
      '2026-03-19T01:00',
      open([3, 18, 24], [4, 0, 2], [4, 18, 24]),
      [],
      '2026-03-19T02:00',
    ],
    [
      'at midnight before a closure',
      '2026-03-18T22:00',
      open([3, 18, 24], [4, 0, 2]),
      ['2026-03-19'],
      '2026-03-19T00:00',
    ],
  ] as const)('%s', (_, wall, hours, closures, expected) => {
    expect(from(wall, [...hours], [...closures])).toBe(expected);
  });

  it('follows the clock changes of the location', () => {
    const at = Date.parse('2026-03-29T10:00:00Z');
    const end = findClosingTime({ timeZone, hours: everyDay(9, 18), closures: [] }, at);
    expect(new Date(end).toISOString()).toBe('2026-03-29T16:00:00.000Z');
  });
});
