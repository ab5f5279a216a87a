import type { ChaosResult, MoneyCounts } from './chaos.ts'
import type { Sent } from './load.ts'

const shownMax = 40

/** What was done and what came of it, to be read by people. */
export function reportOf(result: ChaosResult): string {
  const { faults, differences, missed } = result
  const counts = [...faults].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const total = counts.reduce((sum, [, times]) => sum + times, 0)
  const rows: Row[] = [
    ...counts,
    ['faults', total],
    ['  of them kills', result.kills],
    ['  whose moment did not come', missed.length === 0 ? 0 : missed.join(', ')],
    ['', ''],
    ...(result.money === undefined ? eventRows(result) : moneyRows(result.money, result)),
    ['', ''],
    ['sluice verify', result.verify ?? 'not in this version'],
    ['seconds', result.seconds],
    ['seed', result.seed],
    ...(result.seeds === undefined ? [] : [['  and on, seeds', result.seeds] as const]),
  ]
  const verdict =
    differences.length === 0
      ? `Every ${result.money === undefined ? 'event' : 'payment'} that was answered counts once, and none twice.`
      : differencesOf(result)
  return `${table(rows)}\n\n${verdict}\n`
}

type Row = readonly [string, string | number]

const eventRows = (result: ChaosResult): readonly Row[] => {
  const { sent } = result
  return [
    ['events sent, copies included', sent.events],
    ['  in requests', sent.requests],
    ['events accepted, distinct', result.accepted],
    ['  looked up, having never been answered', result.unanswered],
    ['requests and adjustments that were retried', sent.retried],
    ['repeated on purpose', sent.repeated],
    ['invalid on purpose', sent.invalid],
    ['manual credits and debits', sent.adjustments],
    ['balances read after their usage', sent.reads],
    ['webhooks received', result.webhooks],
  ]
}

const moneyRows = (money: MoneyCounts, { unanswered }: ChaosResult): readonly Row[] => [
  ['checkout sessions', money.sessions],
  ['payments that succeeded', money.payments],
  ['refunds', money.refunds],
  ['disputes', money.disputes],
  ['payouts', money.payouts],
  ['pages and refunds that were not answered', unanswered],
  ["operator's commands that were carried out", money.done],
  ['  that were refused, or found no server', money.refused],
  ['  that were killed with -9', money.killed],
]

/** The sum of runs with several seeds. */
export function sumOf(results: readonly ChaosResult[]): ChaosResult {
  const [first] = results
  if (first === undefined) throw new Error('There are no results.')
  const sum = (of: (result: ChaosResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0)
  const faults = new Map<string, number>()
  for (const [name, times] of results.flatMap((result) => [...result.faults])) {
    faults.set(name, (faults.get(name) ?? 0) + times)
  }
  const money = first.money === undefined ? {} : { money: summed(results, first.money) }
  const names = Object.keys(first.sent) as (keyof Sent)[]
  const sent = Object.fromEntries(names.map((name) => [name, sum((one) => one.sent[name])]))
  return {
    ...first,
    ...money,
    seeds: results.length,
    seconds: sum(({ seconds }) => seconds),
    sent: { ...first.sent, ...sent },
    accepted: sum(({ accepted }) => accepted),
    unanswered: sum(({ unanswered }) => unanswered),
    webhooks: sum(({ webhooks }) => webhooks),
    faults,
    kills: sum(({ kills }) => kills),
    missed: results.flatMap(({ missed }) => missed),
    differences: results.flatMap(({ differences }) => differences),
    verify: results.find(({ verify }) => verify !== 'passed')?.verify ?? 'passed',
    dataDir: results.find(({ dataDir }) => dataDir !== null)?.dataDir ?? null,
  }
}

const summed = (results: readonly ChaosResult[], first: MoneyCounts): MoneyCounts =>
  Object.fromEntries(
    (Object.keys(first) as (keyof MoneyCounts)[]).map((name) => [
      name,
      results.reduce((all, { money }) => all + (money?.[name] ?? 0), 0),
    ]),
  ) as unknown as MoneyCounts

function differencesOf({ differences, dataDir }: ChaosResult): string {
  const shown = differences.slice(0, shownMax).map(({ what, expected, found }) => {
    return `  ${what}\n    expected ${expected}\n    found    ${found}`
  })
  const more = differences.length - shown.length
  return [
    `${differences.length} DIFFERENCES`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
    `The data directory is kept: ${dataDir}`,
  ].join('\n')
}

function table(rows: readonly (readonly [string, string | number])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join('\n')
}
