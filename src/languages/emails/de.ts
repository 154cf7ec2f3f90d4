import type { EmailCatalog } from './en.ts';

const FIRST_TIME = '{{resource}}, {{time}}{{#others}} und {{others}} weitere{{/others}}';
const TIMES = '{{#times}}Termine:\n{{times}}{{/times}}{{^times}}Termin: {{time}}{{/times}}';
const PRICE = '{{#price}}Preis: {{price}}{{/price}}';
const DUE = '{{#due}}Noch zu zahlen: {{due}}, zum Beispiel am Empfang.{{/due}}';
const TIME_AND_PLACE = '{{#time}}Wann: {{time}}\n{{/time}}{{#place}}Wo: {{place}}{{/place}}';
const REASON_LINE = '{{#reason}}Grund: {{reason}}{{/reason}}';
const TO_PAYER =
  '{{#onSite}}vor Ort: Am Empfang bekommst du das Geld zurück{{/onSite}}{{^onSite}}auf dem Weg, auf dem du bezahlt hast{{/onSite}}';
const REFUND_LINE = `{{#refund}}Wir erstatten {{refund}} ${TO_PAYER}.{{/refund}}`;
const WHERE_TO_PAY = `Bezahle {{price}} bis dahin am Empfang: {{desk}}

{{#hours}}Öffnungszeiten:
{{hours}}{{/hours}}`;
const PREVIOUS_TIME = '{{#previous}}Bisher: {{previous}}{{/previous}}';

const templates: EmailCatalog['templates'] = {
  'member-welcome': {
    subject: 'Willkommen',
    body: `Willkommen! Du bist jetzt Mitglied.

Melde dich mit {{email}} an, um zu buchen, Buchungen zu ändern und deinen Tarif zu sehen. Du brauchst kein Passwort: Bei jeder Anmeldung bekommst du einen Link per E-Mail.`,
    action: 'Anmelden',
  },
  'booking-requested': {
    subject: `Wir haben deine Anfrage erhalten: ${FIRST_TIME}`,
    body: `Wir haben deine Anfrage für {{resource}} erhalten ({{location}}). Wir halten die Zeit für dich frei und schreiben dir, sobald wir entschieden haben.

${TIMES}

${PRICE}`,
    action: 'Zu deinen Buchungen',
  },
  'requests-waiting': {
    subject: '{{count}} auf Genehmigung',
    body: '{{count}} auf Genehmigung:\n\n{{requests}}',
    action: 'Anfragen ansehen',
  },
  'booking-confirmed': {
    subject: `Deine Buchung ist bestätigt: ${FIRST_TIME}`,
    body: `Deine Buchung ist bestätigt: {{resource}} ({{location}}).

${TIMES}

${PRICE}

${DUE}`,
    action: 'Zu deinen Buchungen',
  },
  'booking-rescheduled': {
    subject: `Deine Buchung wurde verschoben: ${FIRST_TIME}`,
    body: `{{#previousResource}}Deine Buchung wurde von {{previousResource}} nach {{resource}} verlegt ({{location}}).{{/previousResource}}{{^previousResource}}Deine Buchung wurde verschoben: {{resource}} ({{location}}).{{/previousResource}}

{{#previous}}Neuer Termin: {{time}}
Bisheriger Termin: {{previous}}{{/previous}}{{^previous}}${TIMES}{{/previous}}

${PRICE}

${DUE}

{{#pending}}Die Buchung wartet wieder auf Genehmigung.{{/pending}}`,
    action: 'Zu deinen Buchungen',
  },
  'booking-cancelled': {
    subject: `Deine Buchung wurde storniert: ${FIRST_TIME}`,
    body: `Deine Buchung wurde storniert: {{resource}} ({{location}}).

${TIMES}

{{#reason}}Grund: {{reason}}{{/reason}}

{{#fee}}Stornogebühr: {{fee}}{{/fee}}

${DUE}`,
    action: 'Zu deinen Buchungen',
  },
  'booking-closure': {
    subject: '{{location}} ist geschlossen: {{days}}',
    body: `{{location}} ist geschlossen: {{days}}{{#reason}} ({{reason}}){{/reason}}.

{{#message}}{{message}}{{/message}}

{{#cancelled}}Wir haben deine Buchungen an diesen Tagen storniert. Du zahlst keine Gebühr, und Stunden aus deinem Tarif bekommst du zurück.{{/cancelled}}{{^cancelled}}Du hast Buchungen an diesen Tagen, die wir nicht storniert haben. Bitte verschiebe oder storniere sie, oder melde dich bei uns.{{/cancelled}}

{{times}}`,
    action: 'Zu deinen Buchungen',
  },
  'booking-no-show': {
    subject: 'Deine Buchung ist verfallen: {{resource}}, {{time}}',
    body: `Niemand hat für deine Buchung eingecheckt, deshalb ist sie verfallen: {{resource}} ({{location}}).

${TIMES}

${PRICE}

${DUE}`,
    action: 'Zu deinen Buchungen',
  },
  'membership-started': {
    subject: 'Deine Mitgliedschaft: {{plan}}',
    body: `Du hast eine neue Mitgliedschaft: {{plan}}{{#team}}, gemeinsam mit {{team}}{{/team}}.

${PRICE}

Erster Tag: {{start}}{{#end}}
Letzter Tag: {{end}}{{/end}}`,
    action: 'Zu deinem Konto',
  },
  'membership-plan-changed': {
    subject: 'Dein Tarif ändert sich: {{plan}}, {{start}}',
    body: `Dein Tarif ändert sich von {{previous}} zu {{plan}}{{#team}}, gemeinsam mit {{team}}{{/team}}.

${PRICE}

Erster Tag mit {{plan}}: {{start}}{{#end}}
Letzter Tag: {{end}}{{/end}}

Deine Buchungen und ihre Preise bleiben, wie sie sind.`,
    action: 'Zu deinem Konto',
  },
  'membership-ended': {
    subject: 'Deine Mitgliedschaft {{plan}} hat sich geändert',
    body: `{{#end}}Der letzte Tag deiner Mitgliedschaft {{plan}}: {{end}}.{{/end}}{{^end}}Deine Mitgliedschaft {{plan}} läuft ohne letzten Tag weiter.{{/end}}`,
    action: 'Zu deinem Konto',
  },
  'booking-reminder': {
    subject: 'Erinnerung: {{resource}}, {{time}}',
    body: `Du hast gebucht: {{resource}} ({{location}}).

Termin: {{time}}

{{#address}}Adresse: {{address}}{{/address}}

${DUE}`,
    action: 'Zu deinen Buchungen',
  },
  'event-reminder': {
    subject: 'Erinnerung: {{event}}, {{time}}',
    body: `Bald beginnt: {{event}}.

Wann: {{time}}

Wo: {{location}}{{#address}}, {{address}}{{/address}}

Bring das Ticket aus deiner Bestellung {{order}} mit.`,
    action: 'Zur Veranstaltung',
  },
  'visitor-arrived': {
    subject: 'Besuch für dich ist da',
    body: 'Besuch für dich ist angekommen ({{location}}, {{time}}): {{guest}}',
  },
  'visitor-unconfirmed': {
    subject: 'Jemand möchte dich besuchen',
    body: `Jemand hat eingegeben, dass Besuch für dich da ist ({{location}}, {{time}}): {{guest}}

Niemand hat das bestätigt: Es wurde auf einer Webseite eingegeben, die alle öffnen können. Prüfe es, bevor du dich darauf verlässt.`,
  },
  'guest-arrived': {
    subject: 'Ein Gast ist angekommen: {{title}}',
    body: 'Ein Gast ist angekommen ({{location}}, {{title}}, {{time}}): {{guest}}',
  },
  'display-offline': {
    subject: '{{count}} offline',
    body: `{{count}} offline:

{{displays}}

Prüfe dort Strom und Netzwerk. Ein Bildschirm verbindet sich von selbst wieder.`,
    action: 'Bildschirme ansehen',
  },
  'order-confirmed': {
    subject: 'Deine {{admissions}}: {{title}}',
    body: `Deine Bestellung {{order}} ist bestätigt: {{title}}.

${TIME_AND_PLACE}

{{#paid}}Du hast {{paid}} bezahlt.{{/paid}}

Zeige das am Eingang:
{{tickets}}

Deine {{admissions}} sind als PDF angehängt. Du findest sie auch bei deiner Bestellung, mit dem Beleg. Dort kannst du auch Namen ändern und stornieren.`,
    action: 'Zu deiner Bestellung',
  },
  'order-reserved': {
    subject: 'Reserviert bis {{until}}: {{title}}',
    body: `Wir haben {{tickets}} bis {{until}} für dich reserviert: {{title}}.

${TIME_AND_PLACE}

${WHERE_TO_PAY}

Nenne die Nummer deiner Bestellung: {{order}}. Wenn du bis dahin nicht bezahlst, geben wir die {{admissions}} frei.`,
    action: 'Zu deiner Bestellung',
  },
  'order-payment-due': {
    subject: 'Bezahle bis {{until}}: {{title}}',
    body: `Deine Bestellung {{order}} ist noch nicht bezahlt. Wir haben {{tickets}} bis {{until}} für dich reserviert: {{title}}.

${WHERE_TO_PAY}

Brauchst du die {{admissions}} nicht mehr? Dann storniere die Bestellung auf ihrer Seite.`,
    action: 'Zu deiner Bestellung',
  },
  'order-expired': {
    subject: 'Deine Reservierung ist abgelaufen: {{title}}',
    body: `Deine Bestellung {{order}} wurde nicht rechtzeitig bezahlt, also haben wir {{tickets}} freigegeben: {{title}}. Es wurde nichts abgebucht.

Wenn du noch kommen möchtest, bestelle neu, solange es {{admissions}} gibt.`,
    action: 'Zu deiner Bestellung',
  },
  'order-released': {
    subject: 'Deine Reservierung wurde storniert: {{title}}',
    body: `Wir haben deine Bestellung {{order}} storniert und {{tickets}} freigegeben: {{title}}. Es wurde nichts abgebucht.

Bitte melde dich bei uns, wenn du Fragen hast.`,
    action: 'Zu deiner Bestellung',
  },
  'order-cancelled': {
    subject: '{{tickets}} storniert: {{title}}',
    body: `{{tickets}} aus deiner Bestellung {{order}} für {{title}} {{#several}}sind{{/several}}{{^several}}ist{{/several}} storniert und {{#several}}gelten{{/several}}{{^several}}gilt{{/several}} nicht mehr.

${REFUND_LINE}

${REASON_LINE}`,
    action: 'Zu deiner Bestellung',
  },
  'order-refunded': {
    subject: 'Erstattung für Bestellung {{order}}',
    body: `Du bekommst eine Erstattung für deine Bestellung {{order}}, {{title}}.{{#valid}} Deine {{admissions}} gelten weiterhin.{{/valid}}

${REFUND_LINE}

${REASON_LINE}`,
    action: 'Zu deiner Bestellung',
  },
  'order-payment-late': {
    subject: 'Deine Zahlung kam zu spät: {{title}}',
    body: `Es tut uns leid: Deine Zahlung für Bestellung {{order}} kam an, als die Bestellung schon abgelaufen war, und die {{admissions}} sind inzwischen verkauft.

Wir erstatten den vollen Betrag von {{refund}} ${TO_PAYER}. Du musst nichts tun.`,
  },
  'order-payment-returned': {
    subject: 'Erstattung für Bestellung {{order}}',
    body: `{{#unpaid}}Wir haben {{refund}} für Bestellung {{order}} erhalten. Sie kostet {{total}}.

Wir erstatten diese Zahlung ${TO_PAYER}. Die Bestellung ist noch nicht bezahlt: Bitte bezahle den vollen Preis.{{/unpaid}}

{{^unpaid}}Wir haben eine Zahlung für Bestellung {{order}} erhalten, die schon {{status}} ist.

Wir erstatten {{refund}} ${TO_PAYER}. Du musst nichts tun.{{/unpaid}}`,
  },
  'event-cancelled': {
    subject: 'Veranstaltung abgesagt: {{title}}',
    body: `Es tut uns leid: Diese Veranstaltung wurde abgesagt und deine Bestellung {{order}} storniert.

{{title}}
${TIME_AND_PLACE}

${REASON_LINE}

${REFUND_LINE}`,
  },
  'event-moved': {
    subject: 'Geändert: {{title}}',
    body: `Zeit oder Ort haben sich geändert: {{title}}. Jetzt gilt:

${TIME_AND_PLACE}

${PREVIOUS_TIME}

{{#until}}Deine Bestellung {{order}} ist noch nicht bezahlt. Bezahle sie bis {{until}} am Empfang.{{/until}}{{^until}}Deine Tickets (Bestellung {{order}}) gelten weiterhin.{{/until}}`,
    action: 'Zu deiner Bestellung',
  },
  'ticket-moved': {
    subject: 'Geändert: {{title}}',
    body: `Zeit oder Ort haben sich geändert: {{title}}. Jetzt gilt:

${TIME_AND_PLACE}

${PREVIOUS_TIME}

Dein Ticket gilt weiterhin.`,
  },
  'ticket-closure': {
    subject: '{{location}} ist geschlossen: {{days}}',
    body: `{{location}} ist geschlossen: {{days}}{{#reason}} ({{reason}}){{/reason}}.

{{#message}}{{message}}{{/message}}

Du hast Tickets oder Tagespässe an diesen Tagen. Wir haben sie nicht storniert und schreiben dir, wenn eine Veranstaltung verschoben oder abgesagt wird. Bitte melde dich bei uns, wenn du Fragen hast oder einen anderen Tag möchtest.

{{admissions}}`,
  },
  'ticket-cancelled': {
    subject: 'Dein {{admission}} wurde storniert: {{title}}',
    body: `Dein {{admission}} für {{title}} wurde storniert und gilt nicht mehr.

${TIME_AND_PLACE}

{{#buyer}}Bestellt von: {{buyer}}{{/buyer}}

${REASON_LINE}`,
  },
  'ticket-transferred': {
    subject: '{{admission}} für dich: {{title}}',
    body: `{{admission}} für dich: {{title}}.

${TIME_AND_PLACE}

Dein Code für den Einlass: {{code}}

{{#buyer}}Bestellt von: {{buyer}}{{/buyer}}`,
    action: '{{admission}} ansehen',
  },
  'waitlist-joined': {
    subject: 'Du stehst auf der Warteliste: {{event}}',
    body: `Du stehst für {{tickets}} auf der Warteliste: {{event}}.

Wenn Tickets frei werden, bekommst du ein Angebot per E-Mail. Darin steht, bis wann du bezahlen oder bestätigen kannst: bis zu 24 Stunden, oder kürzer, wenn die Veranstaltung bald beginnt. Du kannst jederzeit die Anzahl der Tickets ändern oder die Liste verlassen.`,
    action: 'Ändern oder verlassen',
  },
  'waitlist-joined-again': {
    subject: 'Du stehst schon auf der Warteliste: {{event}}',
    body: `Du stehst für {{tickets}} auf der Warteliste und behältst deinen Platz: {{event}}. Jemand hat deine Adresse noch einmal eingegeben. Um die Anzahl der Tickets zu ändern oder die Liste zu verlassen, öffne diesen Link.`,
    action: 'Ändern oder verlassen',
  },
  'waitlist-offered': {
    subject: 'Tickets verfügbar: {{event}}',
    body: `Du bist auf der Warteliste an der Reihe. Wir haben {{tickets}} bis {{until}} für dich reserviert: {{event}}.

{{#price}}{{#onSite}}Bezahle {{price}} bis dahin am Empfang.{{/onSite}}{{^onSite}}Bezahle {{price}} bis dahin: Öffne das Angebot mit dem Link unten.{{/onSite}}{{/price}}{{^price}}Bestätige bis dahin: Öffne das Angebot mit dem Link unten. Es ist kostenlos.{{/price}} Sonst kommt die nächste Person auf der Liste an die Reihe.

{{#wanted}}Du wartest auf {{wanted}} Tickets. Wenn du diese nimmst, bleibst du für die restlichen {{rest}} auf deinem Platz in der Liste. Wenn nicht, bleibst du auf der Liste und bekommst ein Angebot, sobald alle {{wanted}} verfügbar sind.{{/wanted}}`,
    action: 'Angebot ansehen',
  },
  'waitlist-closed': {
    subject: 'Warteliste geschlossen: {{event}}',
    body: `Die Veranstaltung wurde abgesagt und ihre Warteliste geschlossen: {{event}}. Du musst nichts tun.`,
  },
};

const texts: EmailCatalog['texts'] = {
  'email.greeting': 'Hallo,',
  'email.greetingNamed': 'Hallo {name},',
  'email.label': '{label}:',
  'email.more': 'und {count} weitere',
  'date.open': '{day}, geöffnet {times}',
  'date.closed': '{day}, geschlossen',
  'date.span': '{opens} bis {closes}',
  'date.range': '{first} bis {last}',
  'desk.closed': 'Geschlossen: {days}',
  'booking.untitled': 'Buchung',
  'plan.price.month': '{price} pro Monat',
  'plan.price.quarter': '{price} pro Quartal',
  'plan.price.year': '{price} pro Jahr',
  'request.count': '{count, plural, one {Eine Buchung wartet} other {# Buchungen warten}}',
  'outage.count': '{count, plural, one {Ein Bildschirm ist} other {# Bildschirme sind}}',
  'outage.since': '{display}, {location}: seit {time}',
  'reminder.stop': 'Keine Erinnerungen mehr',
  'mailing.stop': 'Diese E-Mails nicht mehr bekommen',
  'mailing.toAttendees':
    'Du bekommst diese E-Mail, weil du ein Ticket hast oder eins gekauft hast: {event}.',
  'mailing.toMembers': 'Du bekommst diese E-Mail, weil du Mitglied bist: {sender}.',
  'test.subject': 'Test-E-Mail von Foyer',
  'test.text': 'Foyer kann E-Mails senden. Du hast diesen Test in der Verwaltung angefordert.',
  'test.action': 'Verwaltung öffnen',
  'signIn.subject': 'Dein Link zum Anmelden',
  'signIn.text':
    'Mit diesem Link meldest du dich an und verwaltest deine Buchungen. Er gilt einmal und läuft in {minutes} Minuten ab.',
  'signIn.action': 'Anmelden',
  'signIn.requested':
    'Wenn du diesen Link nicht angefordert hast, kannst du diese E-Mail ignorieren.',
  'signIn.fromStaff':
    'Unser Team hat dir diesen Link geschickt. Wenn er abgelaufen ist, fordere einen neuen an: {url}',
  'address.first.subject': 'Bestätige deine E-Mail-Adresse',
  'address.first.text':
    'Du wurdest als Mitglied angelegt. Bestätige deine E-Mail-Adresse innerhalb von {days} Tagen, um dich damit anzumelden.',
  'address.first.unexpected':
    'Wenn du diese E-Mail nicht erwartet hast, ignoriere sie. Solange du die Adresse nicht bestätigst, kann sich niemand damit anmelden.',
  'address.confirm': 'E-Mail-Adresse bestätigen',
  'address.new.subject': 'Bestätige deine neue E-Mail-Adresse',
  'address.new.text':
    'Das Team oder ein Programm hat diese E-Mail-Adresse für das Konto eines Mitglieds eingetragen. Wenn du das bist, bestätige die Adresse innerhalb von {days} Tagen.',
  'address.new.unexpected':
    'Wenn du diese E-Mail nicht erwartet hast, ignoriere sie. Solange du nicht bestätigst, ändert sich nichts.',
  'address.approve.subject': 'Stimme deiner neuen E-Mail-Adresse zu',
  'address.approve.text':
    'Das Team oder ein Programm möchte deine E-Mail-Adresse ändern, in {email}. Sie ändert sich nur, wenn du oder die Leitung zustimmt.',
  'address.approve.action': 'Zustimmen oder ablehnen',
  'address.approve.unexpected':
    'Wenn du das nicht angefordert hast, lehne es ab und melde dich bei der Leitung.',
  'address.changed.subject': 'Deine E-Mail-Adresse wurde geändert',
  'address.changed.text':
    'Deine E-Mail-Adresse ist jetzt {email}: Das Team oder ein Programm hat sie eingetragen, und sie wurde mit dem Link in einer E-Mail dorthin bestätigt. Links zum Anmelden gehen ab jetzt dorthin, und du wurdest überall abgemeldet.',
  'address.changed.unexpected':
    'Wenn du das nicht angefordert hast, melde dich sofort bei der Leitung.',
  'staff.role.owner': 'Inhaberin oder Inhaber',
  'staff.role.manager': 'Managerin oder Manager',
  'staff.role.front_desk': 'Team am Empfang',
  'staff.invitation.subject': 'Deine Einladung zu {space}',
  'staff.invitation.text':
    'Du wurdest zur Verwaltung von {space} unter {url} eingeladen, mit der Rolle „{role}“. Wähle ein Passwort, um die Einladung anzunehmen.',
  'staff.invitation.action': 'Passwort wählen',
  'staff.invitation.unexpected':
    'Wenn du diese Einladung nicht erwartet hast, kannst du sie ignorieren.',
  'staff.reset.subject': 'Wähle ein neues Passwort',
  'staff.reset.text':
    'Eine Inhaberin oder ein Inhaber hat dein Passwort für {url} zurückgesetzt. Das alte gilt nicht mehr, und du wurdest überall abgemeldet.',
  'staff.reset.action': 'Neues Passwort wählen',
  'staff.link':
    'Der Link gilt einmal und läuft in {days} Tagen ab. Leite ihn nicht weiter: Wer ihn öffnet, kann das Passwort wählen.',
  'staff.forgotten.subject': 'Setze dein Passwort zurück',
  'staff.forgotten.text':
    'Jemand hat auf der Anmeldeseite von {url} deine E-Mail-Adresse eingegeben und ein neues Passwort für dein Konto im Team angefordert. Wenn du das warst, nutze diesen Link.',
  'staff.forgotten.link':
    'Der Link gilt einmal und läuft in {minutes} Minuten ab. Leite ihn nicht weiter: Wer ihn öffnet, kann das Passwort wählen. Wenn du ihn nicht angefordert hast, ignoriere diese E-Mail. Dann ändert sich nichts.',
  'order.dayPass': 'Tagespass',
  'order.admission.ticket': 'Ticket',
  'order.admission.pass': 'Tagespass',
  'order.admissions.ticket': 'Tickets',
  'order.admissions.pass': 'Tagespässe',
  'order.count.ticket': '{count, plural, one {# Ticket} other {# Tickets}}',
  'order.count.pass': '{count, plural, one {# Tagespass} other {# Tagespässe}}',
  'order.cancelled.ticket': '{count, plural, one {Ein Ticket} other {# Tickets}}',
  'order.cancelled.pass': '{count, plural, one {Ein Tagespass} other {# Tagespässe}}',
  'order.alreadyPaid': 'bezahlt',
  'order.alreadyCancelled': 'storniert',
  'order.keepLink':
    'Alle, die diesen Link haben, können die Bestellung ändern. Gib ihn nicht weiter.',
  'order.keepCode': 'Der Code gilt für die erste Person, die ihn zeigt. Gib ihn nicht weiter.',
  'order.unexpected':
    'Wenn du das nicht angefordert hast, ignoriere diese E-Mail: In deinem Namen ist nichts gebucht.',
  'registration.subject': 'Bestätige deine Anmeldung: {title}',
  'registration.held':
    'Wir haben {count, plural, one {einen Platz} other {# Plätze}} für dich reserviert: {order}.',
  'registration.text':
    'Öffne deine Bestellung und wähle innerhalb von 30 Minuten „Bestätigen“. Danach geben wir die Plätze frei.',
  'registration.action': 'Anmeldung bestätigen',
  'reservation.subject': 'Bestätige deine Reservierung: {title}',
  'reservation.held': 'Wir haben {tickets} für dich reserviert: {order}.',
  'reservation.text':
    'Öffne deine Bestellung und wähle bis {confirmBy} „Bestätigen“. Dann bleibt sie bis {until} reserviert. Wenn du nicht bestätigst, geben wir sie frei.',
  'reservation.pay': 'Bezahle {price} bis {until} am Empfang: {desk}',
  'reservation.hours': 'Öffnungszeiten:',
  'reservation.action': 'Reservierung bestätigen',
  'orders.subject': 'Deine Bestellungen',
  'orders.text': 'Hier sind die Links zu deinen Bestellungen:',
  'orders.order': '{order} (Bestellung {code}): {url}',
  'orders.unexpected':
    'Wenn du das nicht angefordert hast, ignoriere diese E-Mail: Nur du hast sie bekommen.',
  'price.taxIncluded': '{money} inkl. MwSt.',
  'price.smallBusiness': '{money} (gemäß § 19 UStG wird keine Umsatzsteuer berechnet)',
  'waitlist.count': '{count, plural, one {# Ticket} other {# Tickets}} ({type})',
  'waitlist.unexpected':
    'Wenn du das nicht angefordert hast, verlasse die Liste oder ignoriere diese E-Mail.',
  'ticket.document': 'Tickets, Bestellung {order}',
  'ticket.name': 'Name',
  'ticket.ticket': 'Ticket',
  'ticket.pass': 'Tagespass',
  'ticket.order': 'Bestellung',
  'ticket.price': 'Preis',
  'ticket.free': 'Kostenlos',
  'receipt.title': 'Beleg',
  'receipt.document': 'Beleg {order}',
  'receipt.order': 'Bestellung {order} ({status})',
  'receipt.status.pending': 'offen',
  'receipt.status.paid': 'bestätigt',
  'receipt.status.expired': 'abgelaufen',
  'receipt.status.cancelled': 'storniert',
  'receipt.ordered': 'Bestellt: {date}',
  'receipt.orderedAndConfirmed': 'Bestellt: {ordered}, bestätigt: {confirmed}',
  'receipt.buyer': 'Bestellt von',
  'receipt.table': 'Positionen und Zahlung',
  'receipt.item': 'Position',
  'receipt.quantity': 'Anzahl',
  'receipt.price': 'Preis',
  'receipt.amount': 'Betrag',
  'receipt.discount': 'Rabatt',
  'receipt.discountOf': 'Rabatt ({code})',
  'receipt.total': 'Gesamt',
  'receipt.paid': 'Bezahlt',
  'receipt.refunded': 'Erstattet',
};

export const de: EmailCatalog = { templates, texts };
