import type { Html } from '../html.ts'
import { html } from '../html.ts'
import type { PlacedOperation } from './description.ts'

/** The key and the address stand in elements of their own, which the page's script fills in. */
const key = html`<span class="key">KEY</span>`
const base = html`<span class="base">http://127.0.0.1:8080</span>`

/** A request that can be copied into a shell; ids are in capitals. */
export function curlOf({ method, path, security, requestBody }: PlacedOperation): Html {
  const json = requestBody?.content['application/json']
  const where = path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())
  const parts = [
    html`curl${method === 'GET' || (method === 'POST' && json !== undefined) ? '' : ` -X ${method}`} ${base}${where}`,
    ...(security?.length === 0 ? [] : [html`-H 'Authorization: Bearer ${key}'`]),
    ...(json === undefined ? [] : [html`-H 'Content-Type: application/json'`]),
    ...(json === undefined ? [] : [html`-d '${quoted(json.example)}'`]),
  ]
  const lines = parts.map((part, index) =>
    index === 0
      ? part
      : html` \\
  ${part}`,
  )
  return html`<pre class="request" tabindex="0"><code>${lines}</code></pre>`
}

/** Within single quotes a shell takes everything as it is, but the quote. */
const quoted = (example: unknown): string =>
  JSON.stringify(example, null, 2).replaceAll("'", "'\\''")
