import type { PageColors, PageDesign } from '../rules/commerce/payments/page-design.ts'
import { fontSizes, fontWeights, pagePlaces } from '../rules/commerce/payments/page-design.ts'
import type { Definition } from './schemas.ts'
import { nullable, oneOf, text } from './schemas.ts'

type Colors = { readonly [Place in keyof PageColors]?: string | null }

/** [payments#looks] */
export interface ThemeConfig {
  readonly dark?: Colors | null
  readonly light?: Colors | null
  readonly font_primary_url?: string | null
  readonly font_secondary_url?: string | null
  readonly font_size?: PageDesign['fontSize']
  readonly font_weight?: PageDesign['fontWeight']
  readonly pay_button_text?: string | null
  readonly radius?: string | null
}

/** Nothing that could end the rule of the style sheet in which it will stand. */
const color: Definition = {
  type: 'string',
  maxLength: 80,
  pattern:
    '^(#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[a-zA-Z]{3,30}|' +
    '(rgba?|hsla?|hwb|lab|lch|oklab|oklch)\\(([0-9.,%/ +\\-]|deg|rad|turn|none){1,64}\\))$',
  description: 'a colour as style sheets have it, such as #1746a2, rgb(23 70 162) or navy',
}

const colors: Definition = {
  type: ['object', 'null'],
  properties: Object.fromEntries(pagePlaces.map((place) => [place, nullable(color)])),
}

const fontUrl: Definition = {
  type: 'string',
  maxLength: 2_000,
  pattern: '^https://[^\\s/?#@\\u0000\\p{Cs}]+[^\\s\\u0000\\p{Cs}]*$',
  description: 'the address of a font file, which begins with https://',
}

export const themeConfig: Definition = {
  type: ['object', 'null'],
  properties: {
    dark: colors,
    light: colors,
    font_primary_url: nullable(fontUrl),
    font_secondary_url: nullable(fontUrl),
    font_size: nullable(oneOf(fontSizes)),
    font_weight: nullable(oneOf(fontWeights)),
    pay_button_text: nullable(text(0, 100)),
    radius: nullable({
      type: 'string',
      maxLength: 16,
      pattern: '^\\d{1,4}(\\.\\d{1,4})?(px|rem|em)$',
      description: 'a number with px, rem or em',
    }),
  },
}

/** The design that a body asks for. */
export const pageDesign = (theme: ThemeConfig): PageDesign => ({
  light: colorsOf(theme.light),
  dark: colorsOf(theme.dark),
  font: theme.font_primary_url ?? null,
  headingFont: theme.font_secondary_url ?? null,
  fontSize: theme.font_size ?? null,
  fontWeight: theme.font_weight ?? null,
  radius: theme.radius ?? null,
})

const colorsOf = (told: Colors | null | undefined): PageColors =>
  Object.fromEntries(
    pagePlaces.flatMap((place) => {
      const color = told?.[place] ?? null
      return color === null ? [] : [[place, color]]
    }),
  )

/** A font's address that is none: a problem. The pattern leaves what only parsing can tell. */
export const isFontAddress = (url: string): boolean => URL.canParse(url)
