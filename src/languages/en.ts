// The texts of the pages for guests and members, in the ICU message format: {name} stands for a value, <b>…</b> marks a part,
// and {count, plural, one {# scan} other {# scans}} follows the rules of the language. The other languages have the same keys.

export const en = {
  'setup.title': 'Set up Foyer',
  'setup.language': 'Language',
  'setup.languageDescription':
    'Your guests and members read pages and emails in it. The panel for your team is in English.',
  'setup.intro':
    'Create the account of the owner. The setup code shows that you run this installation.',
  'setup.code': 'Setup code',
  'setup.codeDescription': 'Foyer prints it when it starts. A restart prints a new one.',
  'setup.codeMissing': 'Enter the setup code that Foyer printed when it started',
  'setup.name': 'Your name',
  'setup.nameMissing': 'Enter your name',
  'setup.email': 'Email address',
  'setup.emailDescription': 'You use it to sign in',
  'setup.emailMissing': 'Enter your email address',
  'setup.password': 'Password',
  'setup.passwordDescription': 'At least 12 characters. A few unrelated words work well.',
  'setup.passwordMissing': 'Choose a password',
  'setup.showPassword': 'Show password',
  'setup.createOwner': 'Create owner',
  'setup.done': 'Foyer is set up',
  'setup.hasOwner':
    'This installation has an owner already. <a>Sign in to the panel</a>, or ask an owner for an invitation.',
} as const;

export type TextKey = keyof typeof en;

/** The texts of a language: one for each key, no more and no fewer. */
export type Catalog = Readonly<Record<TextKey, string>>;
