/**
 * What the rules say for hours and millions, in the seconds and hundreds of a run: the queries are
 * the same, with shorter windows and lower bounds. Each text must be there, so that a rule that
 * changes is looked at here, too.
 */
const bounds: readonly (readonly [alert: string, usual: string, here: string])[] = [
  ['SluiceApiErrors', 'http_errors:ratio_rate5m > 0.05', 'http_errors:ratio_rate5m > 0.005'],
  // One partition of four stands still, at two thousand events a second.
  ['SluiceLagGrows', 'events:sum > 10000', 'events:sum > 1500'],
  ['SluiceBalancesLate', 'p99_rate5m > 10', 'p99_rate5m > 4'],
  ['SluiceWebhooksPileUp', 'pending:max > 1000', 'pending:max > 300'],
  ['SluiceWebhookBacklog', 'webhook_backlog) > 50000', 'webhook_backlog) > 300'],
  ['SluiceSidecarWaits', 'oldest_seconds > 300', 'oldest_seconds > 3'],
  ['SluiceSidecarOverdue', 'oldest_seconds > 2700', 'oldest_seconds > 8'],
  ['SluiceSidecarSpoolFills', '0.8 * 256 * 1024 * 1024', '0.8 * 1024 * 1024'],
]

/** Windows and waits of the rules, in seconds here. */
const [windowSeconds, waitSeconds] = [10, 2]

/** The rules of a file for a run of minutes. Throws where a bound is no longer what it was. */
export function hurried(rules: string): string {
  let text = rules
  for (const [alert, usual, here] of bounds) {
    if (!rules.includes(`alert: ${alert}\n`)) continue
    if (!text.includes(usual)) throw new Error(`${alert} no longer says "${usual}".`)
    text = text.replace(usual, here)
  }
  return text
    .replace(/\[\d+[mh]\]/g, `[${windowSeconds}s]`)
    .replace(/^( +for:) \d+[smh]$/gm, `$1 ${waitSeconds}s`)
}
