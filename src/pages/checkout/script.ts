import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** What the page does beyond its form. It stands in the page, so that there is one round trip. */
export const checkoutScript = readFileSync(
  new URL('../browser/checkout.mjs', import.meta.url),
  'utf8',
)

const digest = createHash('sha256').update(checkoutScript).digest('base64')

/** No other script runs, and this one asks nobody but the page's own server. */
export const scriptPolicy = `script-src 'sha256-${digest}'; connect-src 'self'`
