import {
  canBeEmpty,
  findProblem,
  getLimits,
  listFields,
  pickChanges,
  toInitialValues,
  toInputValue,
  toLimitProps,
} from '../../src/web/components/input-values.ts';

const VIEWS = {
  name: { label: 'Name', missing: 'Enter a name' },
  email: { label: 'Email address', type: 'email' },
  phone: { label: 'Phone' },
  status: { label: 'Status' },
} as const;

describe('the fields of a form', () => {
  it('are those that the input has', () => {
    expect(listFields('CreateMemberInput', VIEWS)).toEqual(['name', 'email', 'phone']);
    expect(listFields('UpdateMemberInput', VIEWS)).toEqual(['name', 'email', 'phone', 'status']);
  });

  it('have the limits of the input', () => {
    expect(toLimitProps('UpdateBookingInput', 'notes')).toEqual({ maxLength: 5000 });
    expect(toLimitProps('CreateTicketTypeInput', 'maxPerOrder')).toEqual({ min: 1, max: 100 });
    expect(toLimitProps('UpdateResourceInput', 'amenities')).toEqual({
      maxLength: 100,
      maxTags: 100,
    });
  });

  it('can be empty if an absent value is empty, but not if it keeps the previous value', () => {
    expect(getLimits('CreateAnnouncementInput', 'startsAt').isOptional).toBe(true);
    expect(getLimits('UpdateAnnouncementInput', 'startsAt').isOptional).toBeUndefined();
    expect(getLimits('UpdateAnnouncementInput', 'endsAt').isOptional).toBe(true);
  });

  it('are required if the form says what is missing', () => {
    const limits = getLimits('CreateResourceInput', 'daysAhead');
    expect(canBeEmpty(limits, { label: 'Days' })).toBe(true);
    expect(canBeEmpty(limits, { label: 'Days', missing: 'Enter a number' })).toBe(false);
  });
});

describe('values', () => {
  it('show null as an empty text', () => {
    const row = { name: 'Ada', email: 'ada@example.org', phone: null };
    expect(toInitialValues('UpdateMemberInput', VIEWS, row)).toEqual({
      name: 'Ada',
      email: 'ada@example.org',
      phone: '',
      status: '',
    });
  });

  it('are sent without surrounding blanks, and as null if empty', () => {
    const text = getLimits('UpdateMemberInput', 'phone');
    expect(toInputValue(text, ' 030 ')).toBe('030');
    expect(toInputValue(text, '  ')).toBeNull();
    const integer = getLimits('UpdateEventInput', 'capacity');
    expect(toInputValue(integer, '')).toBeNull();
    expect(toInputValue(integer, '12')).toBe(12);
    const money = getLimits('UpdatePlanInput', 'price');
    expect(toInputValue(money, { amount: '4.5', currency: 'EUR' })).toEqual({
      amount: 450,
      currency: 'EUR',
    });
  });

  it('are left out of changes unless they differ', () => {
    const before: { name: string; tags: string[]; price: object; at: string | null } = {
      name: 'Ada',
      tags: ['a'],
      price: { amount: 1, currency: 'EUR' },
      at: null,
    };
    expect(pickChanges({ ...before, tags: ['a'], price: { ...before.price } }, before)).toEqual({});
    expect(pickChanges({ ...before, tags: [], at: '2026-01-01T00:00:00Z' }, before)).toEqual({
      tags: [],
      at: '2026-01-01T00:00:00Z',
    });
  });
});

describe('problems', () => {
  const find = (name: keyof typeof VIEWS, value: unknown) =>
    findProblem(getLimits('UpdateMemberInput', name), VIEWS[name], value);

  it('name missing values', () => {
    expect(find('name', '  ')).toBe('Enter a name');
    expect(find('email', '')).toBe('Enter a value');
    expect(find('phone', '')).toBeNull();
    const scopes = getLimits('CreateApiTokenInput', 'scopes');
    expect(findProblem(scopes, { label: 'Scopes', missing: 'Select one' }, [])).toBe('Select one');
  });

  it('name wrong email addresses, also with blanks around them', () => {
    expect(find('email', 'ada')).toBe('Enter a full email address, such as ben@example.org');
    expect(find('email', ' ada@example.org ')).toBeNull();
  });

  it('name texts that do not match the pattern of the input', () => {
    const slug = getLimits('CreateLocationInput', 'slug');
    expect(findProblem(slug, { label: 'Slug', invalid: 'Use dashes' }, 'a b')).toBe('Use dashes');
    expect(findProblem(slug, { label: 'Slug' }, 'a-b')).toBeNull();
  });

  it('name missing amounts and wrong currencies', () => {
    const price = getLimits('CreatePlanInput', 'price');
    const findInPrice = (amount: string, currency: string) =>
      findProblem(price, { label: 'Price' }, { amount, currency });
    expect(findInPrice('', 'EUR')).toBe('Enter a price (0 = free)');
    expect(findInPrice('0', 'EU')).toBe('Enter a currency code, such as EUR');
    expect(findInPrice('0', 'EUR')).toBeNull();
  });
});
