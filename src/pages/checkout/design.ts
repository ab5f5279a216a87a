import type { PageColors, PageDesign } from '../../rules/commerce/payments/page-design.ts'

/** The rules of a seller's design, behind those of the page. [payments#looks] */
export function designStyle(design: PageDesign): string {
  const { dark, light } = design
  const fonts = [design.font, design.headingFont].filter((url) => url !== null)
  const parts = [
    ...new Set(fonts.map(fontFace)),
    rule(':root', variables(design)),
    schemeRules('light', light),
    schemeRules('dark', dark),
  ]
  return parts.join('')
}

/** The origins that the fonts of a design come from. */
export const fontOrigins = ({ font, headingFont }: PageDesign): readonly string[] => [
  ...new Set([font, headingFont].flatMap((url) => (url === null ? [] : [new URL(url).origin]))),
]

const sizes = { xs: 75, sm: 87.5, md: 100, lg: 112.5, xl: 125, '2xl': 150 } as const
const weights = { normal: 400, medium: 500, bold: 700, extraBold: 800 } as const

/** What of the page's style each place of a design is. */
const names: Readonly<Record<keyof PageColors, string>> = {
  bg_primary: '--ground',
  bg_secondary: '--field',
  border_primary: '--line',
  border_secondary: '--field-line',
  button_primary: '--act',
  button_primary_hover: '--act-over',
  button_secondary: '--other',
  button_secondary_hover: '--other-over',
  button_text_primary: '--on-act',
  button_text_secondary: '--on-other',
  input_focus_border: '--focus',
  text_error: '--wrong',
  text_placeholder: '--hint',
  text_primary: '--text',
  text_secondary: '--soft',
  text_success: '--good',
}

function variables({ font, fontSize, fontWeight, headingFont, radius }: PageDesign): string {
  const family = (url: string): string => `"${familyOf(url)}",system-ui,sans-serif`
  return declared({
    '--font': font === null ? null : family(font),
    '--heading-font': headingFont === null ? null : family(headingFont),
    '--size': fontSize === null ? null : `${sizes[fontSize]}%`,
    '--weight': fontWeight === null ? null : `${weights[fontWeight]}`,
    '--radius': radius,
  })
}

/** Colours of one scheme, where the session or the reader wants that scheme. */
function schemeRules(scheme: 'light' | 'dark', colors: PageColors): string {
  const other = scheme === 'light' ? 'dark' : 'light'
  const said = declared(
    Object.fromEntries(
      Object.entries(names).map(([place, name]) => [name, colorIn(colors, place)]),
    ),
  )
  const own = rule(`:root:not([data-theme=${other}])`, said)
  if (own === '') return ''
  return `@media (prefers-color-scheme:${scheme}){${own}}${rule(`:root[data-theme=${scheme}]`, said)}`
}

const colorIn = (colors: PageColors, place: string): string | null =>
  Object.entries(colors).find(([each]) => each === place)?.[1] ?? null

const declared = (values: Readonly<Record<string, string | null>>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}:${value}`]))
    .join(';')

const rule = (selector: string, said: string): string => (said === '' ? '' : `${selector}{${said}}`)

/** One face for each address. */
const fontFace = (url: string): string =>
  `@font-face{font-family:"${familyOf(url)}";src:url("${inStyle(url)}");font-display:swap}`

const familyOf = (url: string): string => `seller ${inStyle(url).replace(/[^\w]/g, '-')}`

/** The address as text of a style sheet: what could end the text is percent-encoded. */
const inStyle = (url: string): string =>
  new URL(url).href.replace(
    /["'\\<>()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
