/**
 * Units of long texts on which regular expressions, normalizations and searches can take long: each repeats, or almost repeats,
 * what a pattern looks for.
 */
const UNITS: Record<string, string> = {
  letters: 'A',
  'small letters': 'a',
  digits: '1',
  spaces: ' ',
  tabs: '\t',
  'line breaks': '\r\n',
  dots: '.',
  dashes: '-',
  'letters and dashes': 'a-',
  'domain labels': 'a.',
  'at signs': 'a@',
  addresses: 'a@b.cc,',
  quotes: '"',
  backslashes: '\\',
  brackets: '[',
  braces: '{{',
  'template tags': '{{a}}',
  'opening tags': '<a ',
  slashes: '/',
  'payment paths': '/pay/',
  'encoded payment paths': '/pay/%41',
  percents: '%',
  links: 'https://a',
  secrets: 'foyer_',
  'almost secrets': 'foyer_aaaaaaa ',
  'signing secrets': 'whsec_',
  'error messages': 'Expected type ',
  'names of fields': 'Field.',
  'scalar errors': 'A cannot represent ',
  'combining marks': '\u0301',
  'ligatures that decompose': '\ufdfa',
  'letters with case rules': '\u0130',
  joiners: '\u200d',
  emoji: '\u{1f469}\u200d',
  surrogates: '\u{1f469}',
  'words of one letter': 'a ',
  'comma-separated parts': 'a, ',
  'recurrence rules': 'BYDAY=MO,TU;',
  'rule parts': 'FREQ=SECONDLY;BYSECOND=',
  'dates and times': '2026-01-31T09:00:00Z',
  zeros: '0',
  'base64 letters': 'Aa0_-',
  'NUL characters': '\0',
};

/** A text of at most this many bytes as JSON, for each unit. */
export const createSlowTexts = (bytes: number): [name: string, text: string][] =>
  Object.entries(UNITS).map(([name, unit]) => {
    const size = Buffer.byteLength(JSON.stringify(unit)) - 2;
    // The last character keeps patterns from matching the whole text.
    return [name, `${unit.repeat(Math.floor((bytes - 1) / size))}!`];
  });

/** The units with the most general patterns. */
export const FEW_UNITS = [
  'letters',
  'spaces',
  'quotes',
  'names of fields',
  'error messages',
  'digits',
];
