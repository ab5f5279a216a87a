import type { Customer } from '../../rules/commerce/catalog/customer.ts'
import type { Instant } from '../../std/instant.ts'
import { formatInstant } from '../../std/instant.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { PortalTexts } from './texts/portal-texts.ts'

/** What every page of the portal needs. */
export interface PortalPage {
  /** `/portal/{token}`, to which links and forms are relative. */
  readonly path: string
  readonly language: string
  readonly texts: PortalTexts
  readonly isTest: boolean
  readonly customer: Customer
  readonly returnUrl: string | null
}

export const section = ({ texts }: PortalPage, title: string, parts: readonly Html[]): Html =>
  html`<section><h2>${title}</h2>
${parts.length === 0 ? html`<p>${texts.nothing}</p>` : parts}
</section>`

export const table = (
  heads: readonly string[],
  rows: readonly Html[],
  { texts }: PortalPage,
): Html =>
  rows.length === 0
    ? html`<p>${texts.nothing}</p>`
    : html`<table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table>`

export const dateText = ({ language }: PortalPage, at: Instant): Html => {
  const day = new Date(Math.floor(at / 1_000))
  const text = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(day)
  return html`<time datetime="${formatInstant(at)}">${text}</time>`
}
