import type { Catalog } from './en.ts';

export const de: Catalog = {
  'setup.title': 'Foyer einrichten',
  'setup.language': 'Sprache',
  'setup.languageDescription':
    'In dieser Sprache lesen Gäste und Mitglieder Seiten und E-Mails. Die Verwaltung für das Team ist auf Englisch.',
  'setup.intro':
    'Lege das Konto der Inhaberin oder des Inhabers an. Der Einrichtungscode zeigt, dass du diese Installation betreibst.',
  'setup.code': 'Einrichtungscode',
  'setup.codeDescription':
    'Foyer gibt ihn beim Start aus. Nach einem Neustart gibt es einen neuen.',
  'setup.codeMissing': 'Gib den Einrichtungscode ein, den Foyer beim Start ausgegeben hat',
  'setup.name': 'Dein Name',
  'setup.nameMissing': 'Gib deinen Namen ein',
  'setup.email': 'E-Mail-Adresse',
  'setup.emailDescription': 'Damit meldest du dich an',
  'setup.emailMissing': 'Gib deine E-Mail-Adresse ein',
  'setup.password': 'Passwort',
  'setup.passwordDescription':
    'Mindestens 12 Zeichen. Gut sind ein paar Wörter, die nichts miteinander zu tun haben.',
  'setup.passwordMissing': 'Wähle ein Passwort',
  'setup.showPassword': 'Passwort anzeigen',
  'setup.createOwner': 'Konto anlegen',
  'setup.done': 'Foyer ist eingerichtet',
  'setup.hasOwner':
    'Diese Installation hat schon eine Inhaberin oder einen Inhaber. <a>Melde dich in der Verwaltung an</a> oder bitte dort um eine Einladung.',
};
