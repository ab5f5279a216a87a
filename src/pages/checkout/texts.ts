import type { CheckoutTexts } from './texts/checkout-texts.ts'
import { checkoutDe } from './texts/de.ts'
import { checkoutEn } from './texts/en.ts'
import { checkoutEs } from './texts/es.ts'
import { checkoutFr } from './texts/fr.ts'
import { checkoutJa } from './texts/ja.ts'

const languages: Readonly<Record<string, CheckoutTexts>> = {
  en: checkoutEn,
  de: checkoutDe,
  fr: checkoutFr,
  es: checkoutEs,
  ja: checkoutJa,
}

/** A language that the page speaks, with its words: the wanted one, else the reader's first. */
export function textsFor(
  wanted: string | null,
  accepted: string | null,
): { readonly language: string; readonly texts: CheckoutTexts } {
  const asked = (accepted ?? '').split(',').map((each) => each.split(';')[0] ?? '')
  const tags = [...(wanted === null ? [] : [wanted]), ...asked]
  for (const tag of tags) {
    const language = tag.trim().toLowerCase().split('-')[0] ?? ''
    const texts = Object.hasOwn(languages, language) ? languages[language] : undefined
    if (texts !== undefined) return { language, texts }
  }
  return { language: 'en', texts: checkoutEn }
}
