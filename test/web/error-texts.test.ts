import {
  ApiError,
  formatErrorText,
  getErrorTitle,
  toFieldPaths,
} from '../../src/web/api/errors.ts';

const invalid = (...fields: { field?: string; message: string }[]) =>
  new ApiError('VALIDATION', 'x: wrong', { reason: 'INVALID_INPUT', fields });

describe('a rejected form', () => {
  it('names fields by their labels, in sentences', () => {
    const error = invalid(
      { field: 'hostEmail', message: 'must be an email address' },
      { field: 'input.price.amount', message: 'must be at most 5' },
      { field: 'name', message: 'Too small: expected string to have >=1 characters' },
      { message: 'Choose one.' },
    );
    const labels: Record<string, string> = { hostEmail: 'Guest notification email' };
    expect(formatErrorText(error, (path) => labels[path])).toBe(
      'Guest notification email must be an email address. Amount must be at most 5. Name: Too small: expected string to have >=1 characters. Choose one.',
    );
  });

  it('is headed by what its reason means, where its code would mislead', () => {
    const titles = ['SETUP_CODE', 'NOT_FOUND'].map((reason) =>
      getErrorTitle(new ApiError('NOT_FOUND', 'x', { reason })),
    );
    expect(titles).toEqual(['The setup code is wrong or expired', 'Not found']);
  });

  it('keeps the sentence of the service if no field is named', () => {
    const error = new ApiError('CONFLICT', 'Sold out.', { reason: 'SOLD_OUT' });
    expect(formatErrorText(error, () => undefined)).toBe('Sold out.');
  });

  it('finds a field by its whole path or a shorter one', () => {
    expect(toFieldPaths('input.price.amount')).toEqual(['price.amount', 'price']);
    expect(toFieldPaths('hostEmail')).toEqual(['hostEmail']);
  });
});

it.each([
  ['VALIDATION', 'Check what you entered'],
  ['CONFLICT', 'This is not possible now'],
  ['RATE_LIMITED', 'Too many attempts'],
  ['FORBIDDEN', 'Access denied'],
  ['UNREACHABLE', 'No connection'],
  ['INTERNAL', 'Something went wrong'],
])('%s has the title "%s"', (code, title) =>
  expect(getErrorTitle(new ApiError(code, 'x'))).toBe(title),
);
