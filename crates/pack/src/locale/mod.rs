//! The plausibility of locale defaults, one table for packs and overlays.
//!
//! A time zone is one of the IANA database, a currency one of ISO 4217, a language one of ISO 639-1 (or three letters),
//! and a region has the form of a cloud region or a country.

use deed_diag::nearest;

/// The names of the IANA time zone database, sorted.
const ZONES: &str = include_str!("zones.txt");

/// The active codes of ISO 4217, funds codes and precious metals left out.
const CURRENCIES: &str = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN \
    BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD \
    HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD \
    MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON \
    RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX \
    USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG";

/// The two-letter codes of ISO 639-1.
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv \
    dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it \
    iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb \
    nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss \
    st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// The two-letter codes of ISO 3166-1.
const COUNTRIES: &str = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
    CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO \
    FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE \
    JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO \
    MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW \
    PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM \
    TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

/// Names of cloud regions that have neither a digit nor a hyphen.
const REGIONS: &str = "eastus westus centralus northcentralus southcentralus westcentralus northeurope westeurope eastasia \
    southeastasia japaneast japanwest brazilsouth brazilsoutheast canadacentral canadaeast uksouth ukwest \
    francecentral francesouth germanynorth germanywestcentral switzerlandnorth switzerlandwest norwayeast \
    norwaywest swedencentral polandcentral italynorth spaincentral southindia centralindia westindia jioindiawest \
    australiaeast australiasoutheast australiacentral koreacentral koreasouth uaenorth uaecentral qatarcentral \
    israelcentral southafricanorth southafricawest mexicocentral global";

/// Returns true if a locale default has a plausible value.
pub(crate) fn is_plausible(key: &str, text: &str) -> bool {
    match key {
        "language" | "locale" => is_language_tag(text),
        "timezone" => ZONES.lines().any(|zone| zone == text),
        "currency" => CURRENCIES.split_whitespace().any(|code| code == text),
        _ => is_region(text),
    }
}

/// Returns the fix for a value that is not plausible: the nearest one, or an example.
pub(crate) fn fix(key: &str, text: Option<&str>) -> String {
    let near = text.and_then(|text| match key {
        "timezone" => nearest(text, ZONES.lines()),
        "currency" => nearest(text, CURRENCIES.split_whitespace()),
        _ => None,
    });
    let example = match key {
        "language" | "locale" => "en-IN",
        "timezone" => "Asia/Kolkata",
        "currency" => "INR",
        _ => "ap-south-1",
    };
    near.map_or_else(|| format!("write it like `{example}`"), |near| format!("did you mean `{near}`?"))
}

/// Checks the outline of BCP 47: a known language, then short subtags.
fn is_language_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    let known = match language.len() {
        2 => LANGUAGES.split_whitespace().any(|code| code.eq_ignore_ascii_case(language)),
        3 => language.bytes().all(|b| b.is_ascii_alphabetic()),
        _ => false,
    };
    // A subtag of two letters is the country.
    let exists = |p: &str| p.len() != 2 || !p.bytes().all(|b| b.is_ascii_alphabetic()) || is_country(p);
    known && parts.all(|p| (1..=8).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_alphanumeric()) && exists(p))
}

fn is_country(text: &str) -> bool {
    COUNTRIES.split_whitespace().any(|code| code.eq_ignore_ascii_case(text))
}

/// A country, or a cloud region: the names of most have a number or a hyphen.
fn is_region(text: &str) -> bool {
    let named = || REGIONS.split_whitespace().any(|name| name == text);
    let known = is_country(text) || text.bytes().any(|b| b.is_ascii_digit() || b == b'-') || named();
    known
        && (2..=32).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_exists_is_plausible_and_what_does_not_is_not() {
        for (key, good) in [
            ("timezone", "Asia/Kolkata"),
            ("timezone", "UTC"),
            ("timezone", "America/Argentina/Ushuaia"),
            ("currency", "EUR"),
            ("language", "de"),
            ("language", "fil"),
            ("locale", "zh-Hant-TW"),
            ("region", "eu-west-1"),
            ("region", "westeurope"),
            ("region", "IN"),
            ("locale", "es-419"),
        ] {
            assert!(is_plausible(key, good), "{key} {good}");
        }
        for (key, bad) in [
            ("timezone", "Mars/Olympus"),
            ("timezone", "asia/kolkata"),
            ("timezone", "IST5"),
            ("currency", "rupees"),
            ("currency", "RUP"),
            ("language", "english"),
            ("language", "xx"),
            ("locale", "de_DE"),
            ("region", "the moon"),
            ("region", "nowhere"),
            ("region", "XX"),
            ("language", "en-XX"),
        ] {
            assert!(!is_plausible(key, bad), "{key} {bad}");
        }
        assert_eq!(fix("timezone", Some("Asia/Kolkatta")), "did you mean `Asia/Kolkata`?");
        assert_eq!(fix("currency", Some("rupees")), "write it like `INR`");
    }
}
