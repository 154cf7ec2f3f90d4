import type { EmailCatalog } from './en.ts';

const FIRST_TIME = '{{resource}}, {{time}}{{#others}} et {{others}} de plus{{/others}}';
const TIMES = '{{#times}}Horaires :\n{{times}}{{/times}}{{^times}}Horaire : {{time}}{{/times}}';
const PRICE = '{{#price}}Prix : {{price}}{{/price}}';
const DUE = '{{#due}}Reste à payer : {{due}}, par exemple à l’accueil.{{/due}}';
const TIME_AND_PLACE = '{{#time}}Quand : {{time}}\n{{/time}}{{#place}}Où : {{place}}{{/place}}';
const REASON_LINE = '{{#reason}}Motif : {{reason}}{{/reason}}';
const TO_PAYER =
  '{{#onSite}}sur place : l’accueil vous rend l’argent{{/onSite}}{{^onSite}}par le moyen de paiement que vous avez utilisé{{/onSite}}';
const REFUND_LINE = `{{#refund}}Nous remboursons {{refund}} ${TO_PAYER}.{{/refund}}`;
const WHERE_TO_PAY = `Payez {{price}} à l’accueil avant cette heure : {{desk}}

{{#hours}}Horaires :
{{hours}}{{/hours}}`;
const PREVIOUS_TIME = '{{#previous}}Auparavant : {{previous}}{{/previous}}';

const templates: EmailCatalog['templates'] = {
  'member-welcome': {
    subject: 'Bienvenue',
    body: `Bienvenue ! Vous êtes maintenant membre.

Connectez-vous avec {{email}} pour réserver, modifier vos réservations et voir votre formule. Pas besoin de mot de passe : à chaque connexion, nous vous envoyons un lien par e-mail.`,
    action: 'Se connecter',
  },
  'booking-requested': {
    subject: `Nous avons reçu votre demande : ${FIRST_TIME}`,
    body: `Nous avons reçu votre demande pour {{resource}} ({{location}}). Nous vous gardons ce créneau et vous écrirons quand nous aurons décidé.

${TIMES}

${PRICE}`,
    action: 'Voir vos réservations',
  },
  'requests-waiting': {
    subject: '{{count}} d’une approbation',
    body: '{{count}} d’une approbation :\n\n{{requests}}',
    action: 'Voir les demandes',
  },
  'booking-confirmed': {
    subject: `Votre réservation est confirmée : ${FIRST_TIME}`,
    body: `Votre réservation est confirmée : {{resource}} ({{location}}).

${TIMES}

${PRICE}

${DUE}`,
    action: 'Voir vos réservations',
  },
  'booking-rescheduled': {
    subject: `Votre réservation a été déplacée : ${FIRST_TIME}`,
    body: `{{#previousResource}}Votre réservation a été déplacée de {{previousResource}} vers {{resource}} ({{location}}).{{/previousResource}}{{^previousResource}}Votre réservation a été déplacée : {{resource}} ({{location}}).{{/previousResource}}

{{#previous}}Nouvel horaire : {{time}}
Ancien horaire : {{previous}}{{/previous}}{{^previous}}${TIMES}{{/previous}}

${PRICE}

${DUE}

{{#pending}}La réservation attend de nouveau d’être approuvée.{{/pending}}`,
    action: 'Voir vos réservations',
  },
  'booking-cancelled': {
    subject: `Votre réservation a été annulée : ${FIRST_TIME}`,
    body: `Votre réservation a été annulée : {{resource}} ({{location}}).

${TIMES}

{{#reason}}Motif : {{reason}}{{/reason}}

{{#fee}}Frais d’annulation : {{fee}}{{/fee}}

${DUE}`,
    action: 'Voir vos réservations',
  },
  'booking-closure': {
    subject: '{{location}} est fermé : {{days}}',
    body: `{{location}} est fermé : {{days}}{{#reason}} ({{reason}}){{/reason}}.

{{#message}}{{message}}{{/message}}

{{#cancelled}}Nous avons annulé vos réservations de ces jours. Vous ne payez aucuns frais, et les heures de votre formule vous sont rendues.{{/cancelled}}{{^cancelled}}Vous avez des réservations ces jours-là, que nous n’avons pas annulées. Déplacez-les ou annulez-les, ou contactez-nous.{{/cancelled}}

{{times}}`,
    action: 'Voir vos réservations',
  },
  'booking-no-show': {
    subject: 'Votre réservation a été annulée faute d’arrivée : {{resource}}, {{time}}',
    body: `Aucune arrivée n’a été enregistrée pour votre réservation, nous l’avons donc annulée : {{resource}} ({{location}}).

${TIMES}

${PRICE}

${DUE}`,
    action: 'Voir vos réservations',
  },
  'membership-started': {
    subject: 'Votre adhésion : {{plan}}',
    body: `Vous avez une nouvelle adhésion : {{plan}}{{#team}}, partagée avec {{team}}{{/team}}.

${PRICE}

Premier jour : {{start}}{{#end}}
Dernier jour : {{end}}{{/end}}`,
    action: 'Voir votre compte',
  },
  'membership-plan-changed': {
    subject: 'Votre formule change : {{plan}}, {{start}}',
    body: `Votre formule passe de {{previous}} à {{plan}}{{#team}}, partagée avec {{team}}{{/team}}.

${PRICE}

Premier jour avec {{plan}} : {{start}}{{#end}}
Dernier jour : {{end}}{{/end}}

Vos réservations et leurs prix restent les mêmes.`,
    action: 'Voir votre compte',
  },
  'membership-ended': {
    subject: 'Votre adhésion {{plan}} a changé',
    body: `{{#end}}Dernier jour de votre adhésion {{plan}} : {{end}}.{{/end}}{{^end}}Votre adhésion {{plan}} continue sans dernier jour.{{/end}}`,
    action: 'Voir votre compte',
  },
  'booking-reminder': {
    subject: 'Rappel : {{resource}}, {{time}}',
    body: `Vous avez réservé : {{resource}} ({{location}}).

Horaire : {{time}}

{{#address}}Adresse : {{address}}{{/address}}

${DUE}`,
    action: 'Voir vos réservations',
  },
  'event-reminder': {
    subject: 'Rappel : {{event}}, {{time}}',
    body: `Bientôt : {{event}}.

Quand : {{time}}

Où : {{location}}{{#address}}, {{address}}{{/address}}

Apportez le billet de votre commande {{order}}.`,
    action: 'Voir l’événement',
  },
  'visitor-arrived': {
    subject: 'Une visite pour vous',
    body: 'Une visite pour vous vient d’arriver ({{location}}, {{time}}) : {{guest}}',
  },
  'visitor-unconfirmed': {
    subject: 'Quelqu’un dit venir vous voir',
    body: `Quelqu’un a saisi qu’une visite pour vous est arrivée ({{location}}, {{time}}) : {{guest}}

Personne ne l’a confirmé : c’est une saisie sur une page web que tout le monde peut ouvrir. Vérifiez avant de vous y fier.`,
  },
  'guest-arrived': {
    subject: 'Une personne est arrivée : {{title}}',
    body: 'Une personne est arrivée ({{location}}, {{title}}, {{time}}) : {{guest}}',
  },
  'display-offline': {
    subject: '{{count}} hors ligne',
    body: `{{count}} hors ligne :

{{displays}}

Vérifiez-y l’alimentation et le réseau. Un écran se reconnecte de lui-même.`,
    action: 'Voir les écrans',
  },
  'order-confirmed': {
    subject: 'Vos {{admissions}} : {{title}}',
    body: `Votre commande {{order}} est confirmée : {{title}}.

${TIME_AND_PLACE}

{{#paid}}Vous avez payé {{paid}}.{{/paid}}

Présentez ceci à l’entrée :
{{tickets}}

Vos {{admissions}} sont joints en PDF. La page de votre commande les contient aussi, avec le reçu. Vous pouvez également y changer les noms et annuler.`,
    action: 'Voir votre commande',
  },
  'order-reserved': {
    subject: 'Réservé jusqu’au {{until}} : {{title}}',
    body: `Nous vous gardons {{tickets}} jusqu’au {{until}} : {{title}}.

${TIME_AND_PLACE}

${WHERE_TO_PAY}

Donnez le numéro de votre commande : {{order}}. Si vous ne payez pas avant cette heure, nous libérons les {{admissions}}.`,
    action: 'Voir votre commande',
  },
  'order-payment-due': {
    subject: 'À payer avant le {{until}} : {{title}}',
    body: `Votre commande {{order}} n’est pas encore payée. Nous vous gardons {{tickets}} jusqu’au {{until}} : {{title}}.

${WHERE_TO_PAY}

Si vous n’avez plus besoin des {{admissions}}, annulez la commande sur sa page.`,
    action: 'Voir votre commande',
  },
  'order-expired': {
    subject: 'Votre réservation a expiré : {{title}}',
    body: `Votre commande {{order}} n’a pas été payée à temps, nous avons donc libéré {{tickets}} : {{title}}. Rien n’a été débité.

Si vous voulez encore venir, commandez à nouveau tant qu’il reste des {{admissions}}.`,
    action: 'Voir votre commande',
  },
  'order-released': {
    subject: 'Votre réservation a été annulée : {{title}}',
    body: `Nous avons annulé votre commande {{order}} et libéré {{tickets}} : {{title}}. Rien n’a été débité.

Contactez-nous si vous avez des questions.`,
    action: 'Voir votre commande',
  },
  'order-cancelled': {
    subject: 'Annulation de {{tickets}} : {{title}}',
    body: `Dans votre commande {{order}} pour {{title}}, {{tickets}} {{#several}}sont annulés et ne sont{{/several}}{{^several}}est annulé et n’est{{/several}} plus {{#several}}valables{{/several}}{{^several}}valable{{/several}}.

${REFUND_LINE}

${REASON_LINE}`,
    action: 'Voir votre commande',
  },
  'order-refunded': {
    subject: 'Remboursement de la commande {{order}}',
    body: `Votre commande {{order}}, {{title}}, est remboursée en tout ou en partie.{{#valid}} Vos {{admissions}} restent valables.{{/valid}}

${REFUND_LINE}

${REASON_LINE}`,
    action: 'Voir votre commande',
  },
  'order-payment-late': {
    subject: 'Votre paiement est arrivé trop tard : {{title}}',
    body: `Nous sommes désolés : votre paiement de la commande {{order}} est arrivé après l’expiration de la commande, et les {{admissions}} ont été vendus à d’autres.

Nous remboursons la totalité, {{refund}}, ${TO_PAYER}. Vous n’avez rien à faire.`,
  },
  'order-payment-returned': {
    subject: 'Remboursement de la commande {{order}}',
    body: `{{#unpaid}}Nous avons reçu {{refund}} pour la commande {{order}}, qui coûte {{total}}.

Nous remboursons ce paiement ${TO_PAYER}. La commande n’est pas encore payée : payez le prix entier.{{/unpaid}}

{{^unpaid}}Nous avons reçu un paiement pour la commande {{order}}, qui est déjà {{status}}.

Nous remboursons {{refund}} ${TO_PAYER}. Vous n’avez rien à faire.{{/unpaid}}`,
  },
  'event-cancelled': {
    subject: 'Événement annulé : {{title}}',
    body: `Nous sommes désolés : cet événement a été annulé, et donc votre commande {{order}} aussi.

{{title}}
${TIME_AND_PLACE}

${REASON_LINE}

${REFUND_LINE}`,
  },
  'event-moved': {
    subject: 'Changement : {{title}}',
    body: `L’horaire ou le lieu a changé : {{title}}. Désormais :

${TIME_AND_PLACE}

${PREVIOUS_TIME}

{{#until}}Votre commande {{order}} n’est pas encore payée. Payez-la à l’accueil avant le {{until}}.{{/until}}{{^until}}Vos billets (commande {{order}}) restent valables.{{/until}}`,
    action: 'Voir votre commande',
  },
  'ticket-moved': {
    subject: 'Changement : {{title}}',
    body: `L’horaire ou le lieu a changé : {{title}}. Désormais :

${TIME_AND_PLACE}

${PREVIOUS_TIME}

Votre billet reste valable.`,
  },
  'ticket-closure': {
    subject: '{{location}} est fermé : {{days}}',
    body: `{{location}} est fermé : {{days}}{{#reason}} ({{reason}}){{/reason}}.

{{#message}}{{message}}{{/message}}

Vous avez des billets ou des pass journée ces jours-là. Nous ne les avons pas annulés, et nous vous écrirons si un événement est déplacé ou annulé. Contactez-nous si vous avez des questions ou si vous voulez un autre jour.

{{admissions}}`,
  },
  'ticket-cancelled': {
    subject: 'Votre {{admission}} a été annulé : {{title}}',
    body: `Votre {{admission}} pour {{title}} a été annulé et n’est plus valable.

${TIME_AND_PLACE}

{{#buyer}}Commande de : {{buyer}}{{/buyer}}

${REASON_LINE}`,
  },
  'ticket-transferred': {
    subject: 'Un {{admission}} pour vous : {{title}}',
    body: `Vous avez un {{admission}} pour {{title}}.

${TIME_AND_PLACE}

Votre code d’entrée : {{code}}

{{#buyer}}Commande de : {{buyer}}{{/buyer}}`,
    action: 'Voir votre {{admission}}',
  },
  'waitlist-joined': {
    subject: 'Vous êtes sur la liste d’attente : {{event}}',
    body: `Vous êtes sur la liste d’attente pour {{tickets}} : {{event}}.

Quand des billets se libèrent, nous vous envoyons une offre par e-mail. Elle indique jusqu’à quand vous pouvez payer ou confirmer : 24 heures au plus, ou moins si l’événement commence bientôt. Vous pouvez à tout moment changer le nombre de billets ou quitter la liste.`,
    action: 'Changer ou quitter',
  },
  'waitlist-joined-again': {
    subject: 'Vous êtes déjà sur la liste d’attente : {{event}}',
    body: `Vous êtes sur la liste d’attente pour {{tickets}} et gardez votre place : {{event}}. Quelqu’un a saisi votre adresse à nouveau. Pour changer le nombre de billets ou quitter la liste, ouvrez ce lien.`,
    action: 'Changer ou quitter',
  },
  'waitlist-offered': {
    subject: 'Billets disponibles : {{event}}',
    body: `C’est votre tour sur la liste d’attente. Nous vous gardons {{tickets}} jusqu’au {{until}} : {{event}}.

{{#price}}{{#onSite}}Payez {{price}} à l’accueil avant cette heure.{{/onSite}}{{^onSite}}Payez {{price}} avant cette heure : ouvrez l’offre avec le lien ci-dessous.{{/onSite}}{{/price}}{{^price}}Confirmez avant cette heure : ouvrez l’offre avec le lien ci-dessous. C’est gratuit.{{/price}} Sinon, les billets vont à la personne suivante sur la liste.

{{#wanted}}Vous attendez {{wanted}} billets. Si vous prenez ceux-ci, vous gardez votre place sur la liste pour les {{rest}} autres. Sinon, vous restez sur la liste et recevez une offre quand les {{wanted}} sont disponibles.{{/wanted}}`,
    action: 'Voir l’offre',
  },
  'waitlist-closed': {
    subject: 'Liste d’attente fermée : {{event}}',
    body: `L’événement a été annulé, et sa liste d’attente est fermée : {{event}}. Vous n’avez rien à faire.`,
  },
};

const texts: EmailCatalog['texts'] = {
  'email.greeting': 'Bonjour,',
  'email.greetingNamed': 'Bonjour {name},',
  'email.label': '{label} :',
  'email.more': 'et {count} de plus',
  'date.open': '{day}, ouvert {times}',
  'date.closed': '{day}, fermé',
  'date.span': 'de {opens} à {closes}',
  'date.range': '{first} – {last}',
  'desk.closed': 'Fermé : {days}',
  'booking.untitled': 'Réservation',
  'plan.price.month': '{price} par mois',
  'plan.price.quarter': '{price} par trimestre',
  'plan.price.year': '{price} par an',
  'request.count':
    '{count, plural, one {# réservation a besoin} other {# réservations ont besoin}}',
  'outage.count': '{count, plural, one {Un écran est} other {# écrans sont}}',
  'outage.since': '{display}, {location} : depuis le {time}',
  'reminder.stop': 'Ne plus recevoir de rappels',
  'mailing.stop': 'Ne plus recevoir ces e-mails',
  'mailing.toAttendees':
    'Vous recevez cet e-mail parce que vous avez ou avez acheté un billet pour {event}.',
  'mailing.toMembers': 'Vous recevez cet e-mail parce que vous êtes membre de {sender}.',
  'test.subject': 'E-mail de test de Foyer',
  'test.text': 'Foyer peut envoyer des e-mails. Vous avez demandé ce test dans l’administration.',
  'test.action': 'Ouvrir l’administration',
  'signIn.subject': 'Votre lien de connexion',
  'signIn.text':
    'Avec ce lien, connectez-vous et gérez vos réservations. Il sert une fois et expire dans {minutes} minutes.',
  'signIn.action': 'Se connecter',
  'signIn.requested': 'Si vous n’avez pas demandé ce lien, vous pouvez ignorer cet e-mail.',
  'signIn.fromStaff':
    'Notre équipe vous a envoyé ce lien. S’il a expiré, demandez-en un nouveau : {url}',
  'address.first.subject': 'Confirmez votre adresse e-mail',
  'address.first.text':
    'Vous faites maintenant partie des membres. Confirmez votre adresse e-mail dans les {days} jours pour vous connecter avec elle.',
  'address.first.unexpected':
    'Si vous n’attendiez pas cet e-mail, ignorez-le. Personne ne peut se connecter avec votre adresse si vous ne la confirmez pas.',
  'address.confirm': 'Confirmer l’adresse e-mail',
  'address.new.subject': 'Confirmez votre nouvelle adresse e-mail',
  'address.new.text':
    'L’équipe ou un programme a saisi cette adresse e-mail pour le compte d’un membre. Si c’est vous, confirmez l’adresse dans les {days} jours.',
  'address.new.unexpected':
    'Si vous n’attendiez pas cet e-mail, ignorez-le. Rien ne change si vous ne confirmez pas.',
  'address.approve.subject': 'Approuvez votre nouvelle adresse e-mail',
  'address.approve.text':
    'L’équipe ou un programme veut remplacer votre adresse e-mail par {email}. Elle ne change que si vous ou un responsable l’approuvez.',
  'address.approve.action': 'Approuver ou refuser',
  'address.approve.unexpected':
    'Si vous ne l’avez pas demandé, refusez et prévenez un responsable.',
  'address.changed.subject': 'Votre adresse e-mail a été changée',
  'address.changed.text':
    'Votre adresse e-mail est maintenant {email} : l’équipe ou un programme l’a saisie, et elle a été confirmée par le lien d’un e-mail envoyé à cette adresse. Nous y envoyons désormais les liens de connexion, et nous avons fermé toutes vos sessions.',
  'address.changed.unexpected':
    'Si vous ne l’avez pas demandé, prévenez tout de suite un responsable.',
  'staff.role.owner': 'propriétaire',
  'staff.role.manager': 'responsable',
  'staff.role.front_desk': 'équipe d’accueil',
  'staff.invitation.subject': 'Votre invitation : {space}',
  'staff.invitation.text':
    'Voici une invitation à l’administration de {space} sur {url}, avec le rôle « {role} ». Choisissez un mot de passe pour accepter.',
  'staff.invitation.action': 'Choisir un mot de passe',
  'staff.invitation.unexpected': 'Si vous n’attendiez pas cette invitation, vous pouvez l’ignorer.',
  'staff.reset.subject': 'Choisissez un nouveau mot de passe',
  'staff.reset.text':
    'Un compte propriétaire a réinitialisé votre mot de passe pour {url}. L’ancien n’est plus valable, et nous avons fermé toutes vos sessions.',
  'staff.reset.action': 'Choisir un nouveau mot de passe',
  'staff.link':
    'Le lien sert une fois et expire dans {days} jours. Ne le transférez pas : toute personne qui l’ouvre peut choisir le mot de passe.',
  'staff.forgotten.subject': 'Réinitialisez votre mot de passe',
  'staff.forgotten.text':
    'Une personne a saisi votre adresse e-mail sur la page de connexion de {url} et a demandé un nouveau mot de passe pour votre compte de l’équipe. Si c’était vous, utilisez ce lien.',
  'staff.forgotten.link':
    'Le lien sert une fois et expire dans {minutes} minutes. Ne le transférez pas : toute personne qui l’ouvre peut choisir le mot de passe. Si vous ne l’avez pas demandé, ignorez cet e-mail. Rien ne change alors.',
  'order.dayPass': 'Pass journée',
  'order.admission.ticket': 'billet',
  'order.admission.pass': 'pass journée',
  'order.admissions.ticket': 'billets',
  'order.admissions.pass': 'pass journée',
  'order.count.ticket': '{count, plural, one {# billet} other {# billets}}',
  'order.count.pass': '{count, plural, one {# pass journée} other {# pass journée}}',
  'order.cancelled.ticket': '{count, plural, one {# billet} other {# billets}}',
  'order.cancelled.pass': '{count, plural, one {# pass journée} other {# pass journée}}',
  'order.alreadyPaid': 'payée',
  'order.alreadyCancelled': 'annulée',
  'order.keepLink': 'Toute personne qui a ce lien peut modifier la commande. Ne le partagez pas.',
  'order.keepCode': 'Le code admet la première personne qui le présente. Ne le partagez pas.',
  'order.unexpected':
    'Si vous n’avez rien demandé, ignorez cet e-mail : rien n’est réservé à votre nom.',
  'registration.subject': 'Confirmez votre inscription : {title}',
  'registration.held':
    'Nous vous gardons {count, plural, one {une place} other {# places}} : {order}.',
  'registration.text':
    'Ouvrez votre commande et choisissez « Confirmer » dans les 30 minutes. Ensuite, nous libérons les places.',
  'registration.action': 'Confirmer l’inscription',
  'reservation.subject': 'Confirmez votre réservation : {title}',
  'reservation.held': 'Nous vous gardons {tickets} : {order}.',
  'reservation.text':
    'Ouvrez votre commande et choisissez « Confirmer » avant le {confirmBy}. Nous la gardons alors jusqu’au {until}. Si vous ne confirmez pas, nous la libérons.',
  'reservation.pay': 'Payez {price} à l’accueil avant le {until} : {desk}',
  'reservation.hours': 'Horaires :',
  'reservation.action': 'Confirmer la réservation',
  'orders.subject': 'Vos commandes',
  'orders.text': 'Voici les liens de vos commandes :',
  'orders.order': '{order} (commande {code}) : {url}',
  'orders.unexpected':
    'Si vous n’avez rien demandé, ignorez cet e-mail : vous êtes la seule personne à l’avoir reçu.',
  'price.taxIncluded': '{money} TTC',
  'price.smallBusiness': '{money} (TVA non facturée selon le § 19 UStG)',
  'waitlist.count': '{count, plural, one {# billet} other {# billets}} ({type})',
  'waitlist.unexpected': 'Si vous n’avez rien demandé, quittez la liste ou ignorez cet e-mail.',
  'ticket.document': 'Billets, commande {order}',
  'ticket.name': 'Nom',
  'ticket.ticket': 'Billet',
  'ticket.pass': 'Pass journée',
  'ticket.order': 'Commande',
  'ticket.price': 'Prix',
  'ticket.free': 'Gratuit',
  'receipt.title': 'Reçu',
  'receipt.document': 'Reçu {order}',
  'receipt.order': 'Commande {order} ({status})',
  'receipt.status.pending': 'en attente',
  'receipt.status.paid': 'confirmée',
  'receipt.status.expired': 'expirée',
  'receipt.status.cancelled': 'annulée',
  'receipt.ordered': 'Commandé : {date}',
  'receipt.orderedAndConfirmed': 'Commandé : {ordered}, confirmé : {confirmed}',
  'receipt.buyer': 'Commande de',
  'receipt.table': 'Articles et paiement',
  'receipt.item': 'Article',
  'receipt.quantity': 'Quantité',
  'receipt.price': 'Prix',
  'receipt.amount': 'Montant',
  'receipt.discount': 'Réduction',
  'receipt.discountOf': 'Réduction ({code})',
  'receipt.total': 'Total',
  'receipt.paid': 'Payé',
  'receipt.refunded': 'Remboursé',
};

export const fr: EmailCatalog = { templates, texts };
