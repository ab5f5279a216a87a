/** How a seller wants the pages of a checkout to look; null: as they are. [payments#looks] */
export interface PageDesign {
  readonly light: PageColors
  readonly dark: PageColors
  /** Addresses of font files, over https. */
  readonly font: string | null
  readonly headingFont: string | null
  readonly fontSize: (typeof fontSizes)[number] | null
  readonly fontWeight: (typeof fontWeights)[number] | null
  /** With its unit. */
  readonly radius: string | null
}

/** What each place is drawn in, as a style sheet says it. */
export type PageColors = { readonly [Place in PagePlace]?: string }

/** [payments#looks] */
export const pagePlaces = [
  'bg_primary',
  'bg_secondary',
  'border_primary',
  'border_secondary',
  'button_primary',
  'button_primary_hover',
  'button_secondary',
  'button_secondary_hover',
  'button_text_primary',
  'button_text_secondary',
  'input_focus_border',
  'text_error',
  'text_placeholder',
  'text_primary',
  'text_secondary',
  'text_success',
] as const
export type PagePlace = (typeof pagePlaces)[number]

export const fontSizes = ['xs', 'sm', 'md', 'lg', 'xl', '2xl'] as const
export const fontWeights = ['normal', 'medium', 'bold', 'extraBold'] as const

export const plainDesign: PageDesign = {
  light: {},
  dark: {},
  font: null,
  headingFont: null,
  fontSize: null,
  fontWeight: null,
  radius: null,
}
