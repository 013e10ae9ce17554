/** Checks against the world's own tables: languages (BCP-47), time zones (IANA), countries (ISO 3166-1). */

/** Every run reads settings, and ICU takes some 50 µs for each answer: remembers what was found good, within bounds. */
function remembering(check: (name: string) => boolean): (name: string) => boolean {
  const good = new Set<string>();
  return (name) => {
    if (good.has(name)) return true;
    if (!check(name)) return false;
    if (good.size < 1000) good.add(name);
    return true;
  };
}

const LANGUAGE_TAG = /^[a-z]{2,3}(?:-([A-Z][a-z]{3}))?(?:-([A-Z]{2}))?$/;
const scripts = new Intl.DisplayNames('en', { type: 'script', fallback: 'none' });

/** The documents' pattern, a language that ICU has data for (`chn` has the shape only), a real script, a real country. */
export const isLanguageTag = remembering((tag) => {
  const parts = LANGUAGE_TAG.exec(tag);
  if (!parts || Intl.DateTimeFormat.supportedLocalesOf(tag).length === 0) return false;
  const [, script, region] = parts;
  return (!script || scripts.of(script) !== undefined) && (!region || isCountryCode(region));
});

// ICU also takes names in any case, abbreviations (`CST`), bare offsets (`+08:00`) and zones of its own (`SystemV/EST5`).
const TIME_ZONE =
  /^(UTC|GMT|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)(\/[A-Z][A-Za-z0-9_+-]*){1,2})$/;

/** An IANA name, spelled as IANA spells it. */
export const isTimeZone = remembering((name) => {
  if (!TIME_ZONE.test(name)) return false;
  try {
    const canonical = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return canonical === name || canonical.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
});

// ISO 3166-1 alpha-2, officially assigned codes. Intl.DisplayNames also knows regions that are not countries (EU, UN, XK).
const COUNTRIES = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
    'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
    'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
    'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
    'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
    'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);
export const isCountryCode = (code: string): boolean => COUNTRIES.has(code);
