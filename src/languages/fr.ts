import type { Catalog } from './en.ts';

export const fr: Catalog = {
  'setup.title': 'Installer Foyer',
  'setup.language': 'Langue',
  'setup.languageDescription':
    'Vos invités et vos membres lisent les pages et les e-mails dans cette langue. L’administration, pour votre équipe, est en anglais.',
  'setup.intro':
    'Créez le compte du propriétaire. Le code d’installation prouve que vous gérez cette installation.',
  'setup.code': 'Code d’installation',
  'setup.codeDescription': 'Foyer l’affiche au démarrage. Un redémarrage en affiche un nouveau.',
  'setup.codeMissing': 'Saisissez le code d’installation que Foyer a affiché au démarrage',
  'setup.name': 'Votre nom',
  'setup.nameMissing': 'Saisissez votre nom',
  'setup.email': 'Adresse e-mail',
  'setup.emailDescription': 'Elle vous sert à vous connecter',
  'setup.emailMissing': 'Saisissez votre adresse e-mail',
  'setup.password': 'Mot de passe',
  'setup.passwordDescription':
    'Au moins 12 caractères. Quelques mots sans rapport entre eux conviennent bien.',
  'setup.passwordMissing': 'Choisissez un mot de passe',
  'setup.showPassword': 'Afficher le mot de passe',
  'setup.createOwner': 'Créer le compte',
  'setup.done': 'Foyer est installé',
  'setup.hasOwner':
    'Cette installation a déjà un propriétaire. <a>Connectez-vous à l’administration</a>, ou demandez une invitation à un propriétaire.',
};
