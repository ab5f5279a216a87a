import { portalDe } from './texts/de.ts'
import { portalEn } from './texts/en.ts'
import { portalEs } from './texts/es.ts'
import { portalFr } from './texts/fr.ts'
import { portalJa } from './texts/ja.ts'
import type { PortalTexts } from './texts/portal-texts.ts'

/** By the languages that pages speak. */
export const portalTexts: Readonly<Record<string, PortalTexts>> = {
  en: portalEn,
  de: portalDe,
  fr: portalFr,
  es: portalEs,
  ja: portalJa,
}
