import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { PlaceLink } from '../links.ts'
import { renderSentence } from '../markdown.ts'
import { curlOf } from './curl.ts'
import type { ApiDescription, ApiResponse, PlacedOperation } from './description.ts'
import { fieldList, fieldsOf } from './fields.ts'

/** The page of a resource: each of its operations with everything that is described of it. */
export const resourceBody = (
  api: ApiDescription,
  { name, operations }: { readonly name: string; readonly operations: readonly PlacedOperation[] },
  link: PlaceLink,
): Html => html`
<h1>${resourceTitle(name)}</h1>
<form class="with-key" hidden>
<label for="key">Your key, for the requests below</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="KEY">
<p>It stays in this tab, and is sent nowhere.</p>
</form>
${operations.map((one) => operationOf(api, one, link))}`

/** `credit-entitlements` → `Credit entitlements`. */
export const resourceTitle = (name: string): string => {
  const words = name.replaceAll('-', ' ')
  return words === 'openapi.json' ? 'Description' : words.charAt(0).toUpperCase() + words.slice(1)
}

function operationOf(api: ApiDescription, one: PlacedOperation, link: PlaceLink): Html {
  const { operationId: id, method, path, summary, description } = one
  return html`
<section class="operation" aria-labelledby="${id}">
<h2 id="${id}"><a href="#${id}">${summary}</a></h2>
<p class="target"><code><b>${method}</b> ${path}</code>${
    one['x-sluice'] === true
      ? html` <span class="ours">ours, not of the public contract</span>`
      : null
  }</p>
${description === undefined ? null : html`<p>${renderSentence(description, link)}</p>`}
${curlOf(one)}
${parametersOf(api, one)}
${bodyOf(api, one)}
${answersOf(api, one)}
${refusalsOf(one, link)}
</section>`
}

function parametersOf(api: ApiDescription, { parameters }: PlacedOperation): Html | null {
  if (parameters.length === 0) return null
  const told = parameters.map(({ name, in: place, description, ...rest }) => ({
    ...rest,
    name,
    description: description ?? (place === 'path' ? undefined : rest.schema.description),
  }))
  return html`<h3>Parameters</h3>${fieldList({ api, side: 'sent' }, told)}`
}

function bodyOf(api: ApiDescription, { requestBody }: PlacedOperation): Html | null {
  if (requestBody === undefined) return null
  const [json, ...others] = Object.entries(requestBody.content)
  const fields =
    json?.[1].schema === undefined ? null : fieldsOf({ api, side: 'sent' }, json[1].schema)
  const more = others.map(([media]) => media)
  return html`<h3>Body</h3>${fields ?? html`<p>Any JSON.</p>`}${
    more.length === 0 ? null : html`<p>Also as ${more.join(', ')}.</p>`
  }`
}

function answersOf(api: ApiDescription, { responses }: PlacedOperation): Html {
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400)
  return html`<h3>Answer</h3>${answers.map(([status, answer]) => answerOf(api, status, answer))}`
}

function answerOf(
  api: ApiDescription,
  status: string,
  { description, content }: ApiResponse,
): Html {
  const { schema, example } = content?.['application/json'] ?? {}
  const fields = schema === undefined ? null : fieldsOf({ api, side: 'answered' }, schema)
  return html`<p><code>${status}</code> ${description}</p>${
    fields === null
      ? null
      : html`<details><summary>Fields of the answer</summary>${fields}</details>`
  }${
    example === undefined
      ? null
      : html`<details><summary>An answer</summary><pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre></details>`
  }`
}

function refusalsOf({ responses }: PlacedOperation, link: PlaceLink): Html {
  const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return html`<details><summary>Refusals</summary><ul class="refusals">${refusals.map(
    ([status, { description }]) =>
      html`<li><code>${status}</code> ${renderSentence(description, link)}</li>`,
  )}</ul></details>`
}
