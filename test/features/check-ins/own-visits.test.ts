import { createOwnVisits } from '../../../src/web/kiosk/own-visits.ts';

type Stored = ReturnType<Parameters<typeof createOwnVisits>[0]['read']>;

const MONDAY = new Date('2026-03-16T12:00:00Z');
const TUESDAY = new Date('2026-03-17T12:00:00Z');

let stored: Stored;
let now: Date;
const list = {
  read: () => stored,
  write: (visits: Stored) => {
    stored = visits;
  },
};
const ownVisits = createOwnVisits(list, () => now);

beforeEach(() => {
  stored = [];
  now = MONDAY;
});

const visit = (label: string) => ({ label, hint: 'a•••@e•••.org', visitor: null });
const save = (label: string) =>
  ownVisits.save({ ...visit(label), checkOutToken: `token of ${label}` });
const listLabels = () => stored.map(({ label }) => label);

it('a kiosk finds a visit that it began today, until the visit ends', () => {
  save('Ada L.');
  save('Max M.');
  expect(ownVisits.find(visit('Ada L.'))).toMatchObject({ checkOutToken: 'token of Ada L.' });
  ownVisits.remove(visit('Ada L.'));
  expect(ownVisits.find(visit('Ada L.'))).toBeUndefined();
  expect(listLabels()).toEqual(['Max M.']);
});

it('a kiosk deletes the visits of earlier days when it looks for one', () => {
  save('Ada L.');
  now = TUESDAY;
  expect(ownVisits.find(visit('Ada L.'))).toBeUndefined();
  expect(listLabels()).toEqual([]);
});

it('a kiosk deletes the visits of earlier days when it begins one', () => {
  save('Ada L.');
  now = TUESDAY;
  save('Max M.');
  expect(listLabels()).toEqual(['Max M.']);
});

it('a kiosk deletes the visits that an earlier version stored without a day', () => {
  save('Ada L.');
  stored = stored.map((old) => ({ ...old, day: undefined }) as unknown as Stored[number]);
  expect(ownVisits.find(visit('Ada L.'))).toBeUndefined();
  expect(listLabels()).toEqual([]);
});
