import type { LineWorth, PeriodWorth } from '../line-worth.ts'

/** What papers say below a line of usage or overage, by language. */
interface WorthTexts {
  /** Has {periods}. */
  readonly usage: string
  /** Has {count}. */
  readonly units: string
  /** Has {count}. */
  readonly free: string
  /** Has {price}. */
  readonly each: string
  readonly rest: string
  /** Has {credits}, {unit} and {price}. */
  readonly overage: string
  /** Between what is said of a period, and between periods. */
  readonly comma: string
  readonly and: string
}

const en: WorthTexts = {
  usage: 'Usage: {periods}',
  units: '{count} units',
  free: '{count} of them free',
  each: 'at {price} each',
  rest: 'less what was billed before',
  overage: 'Overage: {credits} {unit} beyond what was granted, at {price} each',
  comma: ', ',
  and: '; and ',
}

const de: WorthTexts = {
  usage: 'Verbrauch: {periods}',
  units: '{count} Einheiten',
  free: 'davon {count} frei',
  each: 'je {price}',
  rest: 'abzüglich des bereits Berechneten',
  overage: 'Mehrverbrauch: {credits} {unit} über das Gewährte hinaus, je {price}',
  comma: ', ',
  and: '; sowie ',
}

const fr: WorthTexts = {
  usage: 'Consommation : {periods}',
  units: '{count} unités',
  free: 'dont {count} gratuites',
  each: 'à {price} l’unité',
  rest: 'moins ce qui a déjà été facturé',
  overage: 'Dépassement : {credits} {unit} au-delà de ce qui était accordé, à {price} l’unité',
  comma: ', ',
  and: ' ; et ',
}

const es: WorthTexts = {
  usage: 'Uso: {periods}',
  units: '{count} unidades',
  free: '{count} de ellas gratis',
  each: 'a {price} cada una',
  rest: 'menos lo ya facturado',
  overage: 'Exceso: {credits} {unit} por encima de lo concedido, a {price} por unidad',
  comma: ', ',
  and: '; y ',
}

const ja: WorthTexts = {
  usage: '使用量：{periods}',
  units: '{count} 単位',
  free: 'うち {count} は無料',
  each: '単価 {price}',
  rest: '請求済み分を除く',
  overage: '超過分：付与分を超える {credits} {unit}、単価 {price}',
  comma: '、',
  and: '；および ',
}

const ar: WorthTexts = {
  usage: 'الاستخدام: {periods}',
  units: '{count} وحدة',
  free: 'منها {count} مجانًا',
  each: 'بسعر {price} للوحدة',
  rest: 'مطروحًا منه ما سبقت فوترته',
  overage: 'تجاوز: {credits} {unit} فوق الرصيد الممنوح، بسعر {price} للوحدة',
  comma: '، ',
  and: '؛ و ',
}

const th: WorthTexts = {
  usage: 'การใช้งาน: {periods}',
  units: '{count} หน่วย',
  free: 'ฟรี {count} หน่วย',
  each: 'หน่วยละ {price}',
  rest: 'หักส่วนที่เรียกเก็บแล้ว',
  overage: 'ส่วนเกิน: {credits} {unit} เกินกว่าที่ได้รับ หน่วยละ {price}',
  comma: ', ',
  and: '; และ ',
}

const byLanguage: Readonly<Record<string, WorthTexts>> = { ar, de, en, es, fr, ja, th }

/** How a language writes numbers that are decimal text. */
interface Written {
  readonly language: string
  count(decimal: string): string
  /** A price, with as many decimals as it has. */
  price(decimal: string): string
}

/** How a line came to its amount, in a paper's language. [invoices#what-stands-on-it] */
export function worthWords(worth: LineWorth, { count, language, price }: Written): string {
  const texts = byLanguage[language] ?? en
  if (worth.kind === 'overage') {
    return texts.overage
      .replace('{credits}', () => count(worth.credits))
      .replace('{price}', () => price(worth.price))
      .replace('{unit}', () => worth.unit)
  }
  const periods = worth.periods.map((each) => wordsOfPeriod(each).join(texts.comma))
  return texts.usage.replace('{periods}', () => periods.join(texts.and))

  function wordsOfPeriod({ free, isRest, price: each, units }: PeriodWorth): readonly string[] {
    return [
      texts.units.replace('{count}', () => count(units)),
      ...(free === null ? [] : [texts.free.replace('{count}', () => count(free))]),
      ...(each === null ? [] : [texts.each.replace('{price}', () => price(each))]),
      ...(isRest ? [texts.rest] : []),
    ]
  }
}
