import type { LicenseKey } from '../../rules/commerce/licenses/license-key.ts'
import type { GrantTold } from '../../rules/facts/grant-facts.ts'
import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { grantTexts } from './grant-texts.ts'
import type { PortalPage } from './parts.ts'
import { dateText, section } from './parts.ts'

/** What the visitor was granted besides credits; nothing, where that is nothing. */
export const grantsSection = (page: PortalPage, grants: readonly GrantTold[]): Html =>
  grants.length === 0
    ? html``
    : section(
        page,
        textsOf(page).granted,
        grants.map((told) => grantOf(page, told)),
      )

const textsOf = ({ language }: PortalPage) => {
  const texts = grantTexts[language]
  if (texts === undefined) throw new Error(`The portal does not speak ${language}.`)
  return texts
}

function grantOf(page: PortalPage, told: GrantTold): Html {
  const { entitlement, grant } = told
  const { description, name } = entitlement
  return html`<article><h3>${name}</h3>
${description === null ? null : html`<p>${description}</p>`}
${grant.status === 'Pending' ? pending(page, told) : given(page, told)}</article>`
}

/** The fulfilment endpoint may have said where it is accepted. [entitlements#fulfilment] */
function pending(page: PortalPage, { grant }: GrantTold): Html {
  const texts = textsOf(page)
  const { oauthExpiresAt, oauthUrl } = grant
  return oauthUrl === null
    ? html`<p>${texts.pending}</p>`
    : html`<p>${linkTo(oauthUrl, texts.accept)}${
        oauthExpiresAt === null
          ? null
          : html` · ${page.texts.expires} ${dateText(page, oauthExpiresAt)}`
      }</p>`
}

function given(page: PortalPage, told: GrantTold): Html {
  const { entitlement, files, grant, licenseKey } = told
  const { config } = entitlement
  const { active } = textsOf(page)
  if (config.type === 'license_key') {
    return licenseKey === null ? html`<p>${active}</p>` : keyOf(page, licenseKey)
  }
  if (config.type !== 'digital_files') return html`<p>${active}</p>`
  const links = files.flatMap(({ bytes, deletedAt, fileId, fileName }) => {
    if (deletedAt !== null) return []
    const href = `${page.path}/grants/${grant.grantId}/files/${fileId}`
    const size = sizeText(page, bytes)
    return html`<li><a href="${href}" download>${fileName ?? fileId}</a> (${size})</li>`
  })
  return html`${config.instructions === null ? null : html`<p>${config.instructions}</p>`}
${links.length === 0 ? null : html`<ul>${links}</ul>`}
${config.externalUrl === null ? null : html`<p>${linkTo(config.externalUrl, config.externalUrl)}</p>`}`
}

function keyOf(page: PortalPage, key: LicenseKey): Html {
  const { activationsLimit, expiresAt, instancesCount } = key
  const most = activationsLimit === null ? '' : ` / ${activationsLimit}`
  const until = expiresAt === null ? page.texts.never : dateText(page, expiresAt)
  return html`<p><code>${key.key}</code></p>
<p>${textsOf(page).inUse}: ${instancesCount}${most} · ${page.texts.expires} ${until}</p>`
}

/** A seller's address that is none of the web is text, which leads nowhere. */
const linkTo = (url: string, label: string): Html =>
  /^https?:\/\//i.test(url) ? html`<a href="${url}" rel="noreferrer">${label}</a>` : html`${label}`

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

function sizeText({ language }: PortalPage, bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    maximumFractionDigits: 1,
  })
  return format.format(bytes / 1_000 ** step)
}
