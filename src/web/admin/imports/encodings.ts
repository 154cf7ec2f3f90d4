/** The encodings that people can choose for a file, as browsers name them. */
export const ENCODING_OPTIONS = [
  { value: 'windows-1252', label: 'Windows-1252, Western Europe' },
  { value: 'windows-1250', label: 'Windows-1250, Central Europe' },
  { value: 'iso-8859-2', label: 'ISO-8859-2, Central Europe' },
  { value: 'windows-1251', label: 'Windows-1251, Cyrillic' },
  { value: 'windows-1253', label: 'Windows-1253, Greek' },
  { value: 'windows-1254', label: 'Windows-1254, Turkish' },
  { value: 'windows-1257', label: 'Windows-1257, Baltic' },
  { value: 'macintosh', label: 'Mac OS Roman' },
];
