/** The codes of ISO 3166-1 alpha-2. They stand here, since what a runtime knows depends on its version. */
export const COUNTRIES = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
  'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ');

const KNOWN = new Set(COUNTRIES);

export const isKnownCountry = (code: string): boolean => KNOWN.has(code);

/** The name of a country in a language, for people. */
export const formatCountry = (code: string, locale: string): string =>
  new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code;

/** Other names that people and programs write, without spaces and accents, in lower case. */
const OTHER_NAMES: Record<string, string> = {
  ...{ uk: 'GB', greatbritain: 'GB', england: 'GB', scotland: 'GB', wales: 'GB', gbr: 'GB' },
  ...{ usa: 'US', unitedstatesofamerica: 'US', holland: 'NL', czechrepublic: 'CZ', brd: 'DE' },
  ...{ deu: 'DE', ger: 'DE', aut: 'AT', che: 'CH', fra: 'FR', ita: 'IT', esp: 'ES', prt: 'PT' },
  ...{ nld: 'NL', bel: 'BE', pol: 'PL', dnk: 'DK', swe: 'SE', lux: 'LU', irl: 'IE', cze: 'CZ' },
  ...{
    espana: 'ES',
    italia: 'IT',
    osterreich: 'AT',
    oesterreich: 'AT',
    polska: 'PL',
    svizzera: 'CH',
  },
};

const toKey = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '');

let codeByName: Map<string, string> | undefined;

/** Finds the code of a country that a list names: by its code, or in English, German or French. Returns null for an unknown one. */
export function findCountry(name: string): string | null {
  codeByName ??= new Map([
    ...['en', 'de', 'fr'].flatMap((locale) =>
      COUNTRIES.map((code) => [toKey(formatCountry(code, locale)), code] as const),
    ),
    ...Object.entries(OTHER_NAMES),
    ...COUNTRIES.map((code) => [code.toLowerCase(), code] as const),
  ]);
  return codeByName.get(toKey(name)) ?? null;
}
